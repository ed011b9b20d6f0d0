import { createHash } from "node:crypto"

/** The parts of a record that a tax agency checks. */
export interface ReadRecord {
  readonly kind: "Alta" | "Anulacion"
  readonly issuer: string
  readonly number: string
  readonly date: string
  readonly total: string
  /** The day of the supply as 31-12-2026; empty when the record states none. */
  readonly supplied: string
  readonly type: string
  readonly hash: string
  readonly previous: { readonly number: string; readonly hash: string } | null
  readonly isCorrection: boolean
}

interface Named {
  readonly [name: string]: string
}

/** Reads the records of a message in their order. A simple parser suffices, because the service wrote the text. */
export const recordsIn = (xml: string): ReadonlyArray<ReadRecord> =>
  [...xml.matchAll(/<(?:\w+:)?Registro(Alta|Anulacion)[\s>][^]*?<\/(?:\w+:)?Registro\1>/g)].map(([record, kind]) =>
    readRecord(record, kind === "Alta")
  )

/** Returns the content of an element; an empty text if there is none. */
const content = (xml: string, name: string): string =>
  new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([^]*?)</(?:\\w+:)?${name}>`).exec(xml)?.[1] ?? ""

const text = (xml: string, ...path: ReadonlyArray<string>): string =>
  path.reduce(content, xml).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** Reads a record; throws unless its hash is correct by the rules of the tax agency. */
const readRecord = (record: string, isAlta: boolean): ReadRecord => {
  const suffix = isAlta ? "" : "Anulada"
  const fields: Named = {
    [`IDEmisorFactura${suffix}`]: text(record, "IDFactura", `IDEmisorFactura${suffix}`),
    [`NumSerieFactura${suffix}`]: text(record, "IDFactura", `NumSerieFactura${suffix}`),
    [`FechaExpedicionFactura${suffix}`]: text(record, "IDFactura", `FechaExpedicionFactura${suffix}`),
    ...(isAlta
      ? {
          TipoFactura: text(record, "TipoFactura"),
          CuotaTotal: text(record, "CuotaTotal"),
          ImporteTotal: text(record, "ImporteTotal")
        }
      : {}),
    Huella: text(record, "Encadenamiento", "RegistroAnterior", "Huella"),
    FechaHoraHusoGenRegistro: text(record, "FechaHoraHusoGenRegistro")
  }
  const covered = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const expected = createHash("sha256").update(covered.join("&")).digest("hex").toUpperCase()
  const hash = text(record.replace(/<(?:\w+:)?Encadenamiento>[^]*<\/(?:\w+:)?Encadenamiento>/, ""), "Huella")
  if (hash !== expected) throw new Error(`The hash ${hash} should be ${expected}.`)
  const before = text(record, "Encadenamiento", "RegistroAnterior", "NumSerieFactura")
  if ((before === "") !== (text(record, "Encadenamiento", "PrimerRegistro") === "S"))
    throw new Error("The link is wrong.")
  return {
    kind: isAlta ? "Alta" : "Anulacion",
    issuer: fields[`IDEmisorFactura${suffix}`] ?? "",
    number: fields[`NumSerieFactura${suffix}`] ?? "",
    date: fields[`FechaExpedicionFactura${suffix}`] ?? "",
    total: fields["ImporteTotal"] ?? "",
    supplied: text(record, "FechaOperacion"),
    type: fields["TipoFactura"] ?? "",
    hash,
    previous: before === "" ? null : { number: before, hash: fields["Huella"] ?? "" },
    isCorrection: text(record, "Subsanacion") === "S" && text(record, "RechazoPrevio") === "X"
  }
}

/** Throws unless each record refers to the previous one. */
export const requireChain = (records: ReadonlyArray<ReadRecord>): void => {
  for (const [index, { previous, number }] of records.entries()) {
    const before = records[index - 1]
    const isLinked = before === undefined ? previous === null : previous?.hash === before.hash
    if (!isLinked) throw new Error(`The record of ${number} does not follow ${before?.number ?? "nothing"}.`)
  }
}
