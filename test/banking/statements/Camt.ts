export type Tag = string

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

export const tag = (
  name: string,
  text: string,
  ...more: ReadonlyArray<Tag | Readonly<Record<string, string>>>
): Tag => {
  const attributes = more.flatMap((part) => (typeof part === "string" ? [] : Object.entries(part)))
  const inside = more.filter((part) => typeof part === "string").join("")
  return `<${name}${attributes.map(([key, value]) => ` ${key}="${value}"`).join("")}>${escaped(text)}${inside}</${name}>`
}

export const entry = (amount: string, indicator: string, ...more: ReadonlyArray<Tag>): Tag =>
  tag(
    "Ntry",
    "",
    tag("Amt", amount, { Ccy: "EUR" }),
    tag("CdtDbtInd", indicator),
    tag("Sts", "BOOK"),
    tag("BookgDt", "", tag("Dt", "2026-01-05")),
    ...more
  )

interface Options {
  readonly version?: string
  readonly iban?: string
  readonly opening?: string
  readonly closing?: string
}

const balance = (code: string, amount: string | undefined, day: string): Tag =>
  amount === undefined
    ? ""
    : tag(
        "Bal",
        "",
        tag("Tp", "", tag("CdOrPrtry", "", tag("Cd", code))),
        tag("Amt", amount, { Ccy: "EUR" }),
        tag("CdtDbtInd", "CRDT"),
        tag("Dt", "", tag("Dt", day))
      )

/** Builds a camt.053 file with one statement. */
export const camt = (entries: ReadonlyArray<Tag>, options: Options = {}): string => {
  const { closing, iban = "BE68539007547034", opening, version = "02" } = options
  const statement = tag(
    "Stmt",
    "",
    tag("Id", "1"),
    tag("Acct", "", tag("Id", "", tag("IBAN", iban)), tag("Ccy", "EUR")),
    balance("OPBD", opening, "2026-01-01"),
    balance("CLBD", closing, "2026-01-31"),
    ...entries
  )
  const header = tag("GrpHdr", "", tag("MsgId", "M"))
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`
  return `<?xml version="1.0"?>\n${tag("Document", "", { xmlns }, tag("BkToCstmrStmt", "", header, statement))}`
}
