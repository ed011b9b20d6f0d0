/** Values that JSON cannot express, and values that are only known when the request is sent. */

/** A field of the `pick`-th record in earlier answers, filled in when the request is sent. */
export class Slot {
  readonly collection: string
  readonly field: string
  readonly pick: number
  readonly foreign: boolean

  constructor(collection: string, field: string, pick: number, foreign = false) {
    this.collection = collection
    this.field = field
    this.pick = pick
    this.foreign = foreign
  }
}

/** A text that is sent as JSON but that `JSON.stringify` does not write: `-0`, `1e400`, `NaN`. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object that may have a key twice. */
export class Pairs {
  readonly entries: ReadonlyArray<readonly [string, unknown]>

  constructor(entries: ReadonlyArray<readonly [string, unknown]>) {
    this.entries = entries
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Slot || value instanceof Literal || value instanceof Pairs)

/** Returns the JSON text of a value, in which each `Slot` is replaced by its value. */
export const jsonOf = (value: unknown, fill: (slot: Slot) => unknown): string => {
  if (value instanceof Slot) return JSON.stringify(fill(value) ?? null)
  if (value instanceof Literal) return value.text
  if (Array.isArray(value)) return `[${value.map((element) => jsonOf(element, fill)).join(",")}]`
  const entries = value instanceof Pairs ? value.entries : isRecord(value) ? Object.entries(value) : undefined
  if (entries === undefined) return JSON.stringify(value) ?? "null"
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${jsonOf(field, fill)}`).join(",")}}`
}

/** Returns a value as text for a form or a query: strings unchanged, lists joined with commas. */
export const textOf = (value: unknown, fill: (slot: Slot) => unknown): string => {
  const filled = value instanceof Slot ? fill(value) : value
  if (typeof filled === "string") return filled.toWellFormed()
  if (Array.isArray(filled)) return filled.map((element) => textOf(element, fill)).join(",")
  return jsonOf(filled, fill).toWellFormed()
}
