/** Plain spellings of letters that Unicode does not decompose into a base letter and a mark, and of the final sigma. */
const spelledOut: Readonly<Record<string, string>> = {
  ς: "σ",
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

/** Combining marks that many scripts use are accents; those of a single script, such as Hindi vowels, are letters. */
const accents = /[\p{M}&&\p{Script=Inherited}]/gv

/** Normalizes text for a search: lower case, without accents, with plain letters for full width forms and ligatures. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(accents, "")
    .toLowerCase()
    .replace(/[ςßæœøłđðþħŧıĸŋ]/g, (letter) => spelledOut[letter] ?? letter)
    .replace(/\s+/g, " ")
    .trim()

/** Builds the `search` column of a record: one normalized line per part, so that no match spans two parts. */
export const searchText = (parts: ReadonlyArray<string | null>): string =>
  parts
    .filter((part) => part !== null)
    .map(folded)
    .join("\n")

/** Returns the `like` pattern that finds the query anywhere in a `search` column; undefined for an empty query. */
export const searchPattern = (query: string | undefined): string | undefined => {
  const text = folded(query ?? "")
  return text === "" ? undefined : `%${text.replace(/[\\%_]/g, "\\$&")}%`
}
