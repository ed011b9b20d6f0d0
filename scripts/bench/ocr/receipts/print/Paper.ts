/** One printed line of a receipt, which `roll.typ` typesets. `size` is relative to the letter size of the receipt. */
export type Row =
  | { readonly kind: "text"; readonly text: string; readonly align: "left" | "center" | "right"; readonly style: Style }
  | { readonly kind: "pair"; readonly left: string; readonly right: string; readonly style: Style }
  /**
   * `letters` has the widths of all columns except the first, which takes the rest of the line. All but the first are
   * aligned right.
   */
  | { readonly kind: "columns"; readonly cells: ReadonlyArray<string>; readonly letters: ReadonlyArray<number> }
  | { readonly kind: "rule"; readonly mark: "-" | "=" | "*" | "." | "_" | "line" }
  | { readonly kind: "gap" }
  | { readonly kind: "bars"; readonly widths: ReadonlyArray<number> }
  | { readonly kind: "logo"; readonly text: string; readonly shape: "boxed" | "serif" | "plain" }

export interface Style {
  readonly size: number
  readonly bold: boolean
}

const plain: Style = { size: 1, bold: false }

export const left = (text: string): Row => ({ kind: "text", text, align: "left", style: plain })
export const center = (text: string, style = plain): Row => ({ kind: "text", text, align: "center", style })
export const pair = (left: string, right: string, style = plain): Row => ({ kind: "pair", left, right, style })
export const columns = (cells: ReadonlyArray<string>, letters: ReadonlyArray<number>): Row => ({
  kind: "columns",
  cells,
  letters
})
export const rule = (mark: Extract<Row, { kind: "rule" }>["mark"]): Row => ({ kind: "rule", mark })
export const gap: Row = { kind: "gap" }

export interface Roll {
  readonly font: string
  /** Width of a letter divided by the letter size; the average width if the letters have different widths. */
  readonly advance: number
  readonly letters_per_line: number
  /** Printed width of a letter divided by its normal width in the font. */
  readonly stretch: number
  /** Line height divided by the letter size. */
  readonly leading: number
  readonly paper_mm: number
  readonly margin_mm: number
  readonly rows: ReadonlyArray<Row>
}

/** Fits rows to the roll as a till does: wraps texts and long pairs, and cuts cells. */
export const fitted = (roll: Roll): Roll => ({
  ...roll,
  rows: roll.rows.flatMap((row) => fit(row, roll.letters_per_line))
})

const fit = (row: Row, letters_per_line: number): ReadonlyArray<Row> => {
  if (row.kind === "text") {
    return wrapped(row.text, letters_per_line / widthOf(row.style)).map((text) => ({ ...row, text }))
  }
  if (row.kind === "columns") {
    const first_letters = letters_per_line - row.letters.reduce((all, letters) => all + letters, 0)
    const widths = [first_letters + 1, ...row.letters]
    return [{ ...row, cells: row.cells.map((cell, index) => cell.slice(0, (widths[index] ?? 1) - 1)) }]
  }
  if (row.kind !== "pair") return [row]
  if (widthOf(row.style) * (row.left.length + row.right.length + 1) <= letters_per_line) return [row]
  if (row.style.size > 1) return fit({ ...row, style: { ...row.style, size: 1 } }, letters_per_line)
  return [
    { kind: "text", text: row.left, align: "left", style: row.style },
    { kind: "text", text: row.right, align: "right", style: row.style }
  ]
}

const wrapped = (text: string, letters: number): ReadonlyArray<string> => {
  if (text.length <= letters) return [text]
  const space = text.lastIndexOf(" ", letters)
  const end = space > 0 ? space : Math.floor(letters)
  return [text.slice(0, end).trimEnd(), ...wrapped(text.slice(end).trimStart(), letters)]
}

/** Maximum factor by which `size` makes letters wider; beyond it they only become higher. */
const wide_max = 1.5
const widthOf = ({ size }: Style): number => Math.min(size, wide_max)
