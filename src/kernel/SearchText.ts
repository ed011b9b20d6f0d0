/** Letters that Unicode does not take apart into a base letter and a mark. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ĸ: "k",
  ŋ: "n"
}

/** Marks that many scripts share are accents; those of one script, such as Hindi vowels, are letters of it. */
const accents = /[\p{M}&&\p{Script=Inherited}]/gv

/** What a search compares: lower case, without accents, compatibility forms (full width, ligatures) made plain. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(accents, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþħŧıĸŋ]/g, (letter) => spelledOut[letter] ?? letter)
    .replace(/\s+/g, " ")
    .trim()

/** The `search` column of a record: one folded line per part, so that no match runs from one part into the next. */
export const searchText = (parts: ReadonlyArray<string | null>): string =>
  parts
    .filter((part) => part !== null)
    .map(folded)
    .join("\n")

/** The `like` pattern that finds the query anywhere in a `search` column; undefined when it asks for nothing. */
export const searchPattern = (query: string | undefined): string | undefined => {
  const text = folded(query ?? "")
  return text === "" ? undefined : `%${text.replace(/[\\%_]/g, "\\$&")}%`
}
