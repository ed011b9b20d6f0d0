/** Reads a CSV file by RFC 4180, character by character, and returns its records keyed by the header's names. */
export const csvRecords = (text: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [names = [], ...lines] = linesOf(text)
  return lines.map((cells) => {
    if (cells.length !== names.length)
      throw new Error(`${cells.length} cells in a line of ${names.length}: ${cells.join()}`)
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]))
  })
}

const linesOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines: Array<Array<string>> = []
  let line: Array<string> = []
  let cell = ""
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(index + 1) === '"') cell += text.charAt(++index)
      else isQuoted = false
    } else if (character === '"' && cell === "") isQuoted = true
    else if (character === ",") {
      line.push(cell)
      cell = ""
    } else if (character === "\r" && text.charAt(index + 1) === "\n") {
      lines.push([...line, cell])
      line = []
      cell = ""
      index++
    } else if (character === '"' || character === "\r" || character === "\n") {
      throw new Error(`A ${JSON.stringify(character)} outside of quotes at ${index}.`)
    } else cell += character
  }
  if (cell !== "" || line.length > 0) throw new Error("The last line has no end.")
  return lines
}
