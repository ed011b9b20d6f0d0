/** Reads a decimal number in units of 10^-8, the finest unit of FatturaPA. */
const units = (text: string | undefined): bigint => {
  const [, sign = "", whole = "0", decimals = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(text ?? "0.00") ?? []
  return BigInt(`${sign}${whole}${decimals.padEnd(8, "0")}`)
}
const one = 10n ** 8n
const cent = one / 100n
const distance = (left: bigint, right: bigint) => (left > right ? left - right : right - left)
/** Divides, and rounds halves away from zero. */
const divided = (number: bigint, by: bigint) => (number < 0n ? number - by / 2n : number + by / 2n) / by

const blocks = (xml: string, name: string) => xml.match(new RegExp(`<${name}>[^]*?</${name}>`, "g")) ?? []
const value = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

const lineTotal = (line: string): bigint => {
  const price = units(value(line, "PrezzoUnitario"))
  const [change = ""] = blocks(line, "ScontoMaggiorazione")
  const percent = value(change, "Percentuale")
  const amount = percent === undefined ? units(value(change, "Importo")) : (price * units(percent)) / (100n * one)
  const changed = value(change, "Tipo") === "MG" ? price + amount : price - amount
  return (changed * units(value(line, "Quantita") ?? "1.00")) / one
}

const rowOf = (part: string) => `${value(part, "AliquotaIVA")} ${value(part, "Natura") ?? ""}`

/** True unless the party has an Italian VAT number with a wrong check digit. */
const hasValidNumber = (party: string): boolean => {
  const number = value(party, "IdCodice") ?? ""
  if (value(party, "IdPaese") !== "IT") return true
  const doubled = Array.from(number, (digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 2))
  return /^\d{11}$/.test(number) && doubled.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0
}

/** True if two parties have the same VAT number or, where the buyer has none, the same codice fiscale. */
const isSame = (seller: string, buyer: string): boolean => {
  const numbers = (party: string) => [value(party, "IdCodice"), value(party, "CodiceFiscale")]
  const [vat, code] = numbers(buyer)
  if (vat !== undefined)
    return vat === value(seller, "IdCodice") && value(buyer, "IdPaese") === value(seller, "IdPaese")
  return code !== undefined && numbers(seller).includes(code)
}

/**
 * Returns the formal controls of the Sistema di Interscambio (specifiche tecniche 1.9) that a FatturaPA breaks if it
 * arrives on the day `today`.
 */
export const brokenControls = (xml: string, today: string): ReadonlyArray<string> => {
  const lines = blocks(xml, "DettaglioLinee")
  const rows = blocks(xml, "DatiRiepilogo")
  const [header = ""] = blocks(xml, "FatturaElettronicaHeader")
  const [buyer = ""] = blocks(header, "CessionarioCommittente")
  const [general = ""] = blocks(xml, "DatiGeneraliDocumento")
  const code = value(header, "CodiceDestinatario") ?? ""
  const isUntaxed = (part: string) => units(value(part, "AliquotaIVA")) === 0n
  const natura = (part: string) => value(part, "Natura")
  const sumOf = (row: string) =>
    lines
      .filter((line) => rowOf(line) === rowOf(row))
      .reduce((sum, line) => sum + units(value(line, "PrezzoTotale")), 0n)
  const taxOf = (row: string) =>
    divided(units(value(row, "ImponibileImporto")) * units(value(row, "AliquotaIVA")), 100n * one * cent) * cent
  const [seller = ""] = blocks(header, "CedentePrestatore")
  const [linked = ""] = blocks(xml, "DatiFattureCollegate")
  const checks: ReadonlyArray<readonly [control: string, isBroken: boolean]> = [
    ["00301", value(seller, "IdCodice") === undefined || !hasValidNumber(seller)],
    ["00305", !hasValidNumber(buyer)],
    ["00420", rows.some((row) => natura(row)?.startsWith("N6") === true && value(row, "EsigibilitaIVA") === "S")],
    ["00400", lines.some((line) => isUntaxed(line) && natura(line) === undefined)],
    ["00401", lines.some((line) => !isUntaxed(line) && natura(line) !== undefined)],
    ["00403", (value(general, "Data") ?? "") > today],
    ["00471", value(general, "TipoDocumento") === "TD01" && isSame(seller, buyer)],
    ["00417", value(buyer, "IdCodice") === undefined && value(buyer, "CodiceFiscale") === undefined],
    ["00418", (value(linked, "Data") ?? "") > (value(general, "Data") ?? "")],
    ["00419", lines.some((line) => !rows.some((row) => rowOf(row) === rowOf(line)))],
    ["00421", rows.some((row) => distance(units(value(row, "Imposta")), taxOf(row)) > cent)],
    ["00422", rows.some((row) => distance(units(value(row, "ImponibileImporto")), sumOf(row)) > one)],
    ["00423", lines.some((line) => distance(units(value(line, "PrezzoTotale")), lineTotal(line)) > cent)],
    ["00425", !/\d/.test(value(general, "Numero") ?? "")],
    ["00426", code !== "0000000" && value(header, "PECDestinatario") !== undefined],
    ["00427", (code.length === 6) !== (value(header, "FormatoTrasmissione") === "FPA12")],
    ["00428", !xml.includes(`versione="${value(header, "FormatoTrasmissione")}"`)],
    ["00429", rows.some((row) => isUntaxed(row) && natura(row) === undefined)],
    ["00430", rows.some((row) => !isUntaxed(row) && natura(row) !== undefined)],
    ["00443", rows.some((row) => !lines.some((line) => rowOf(line) === rowOf(row)))],
    ["00445", /<Natura>N[236]<\/Natura>/.test(xml)]
  ]
  return checks.flatMap(([control, isBroken]) => (isBroken ? [control] : []))
}

/**
 * The names of wrong amounts, even if the Sistema di Interscambio (SdI) tolerates the difference. A tax that was
 * converted from another currency may differ by a cent from its rate.
 */
export const fatturaMistakes = (xml: string, isConverted: boolean): ReadonlyArray<string> => {
  const slack = isConverted ? cent : 0n
  const rows = blocks(xml, "DatiRiepilogo")
  const lines = blocks(xml, "DettaglioLinee")
  const [general = ""] = blocks(xml, "DatiGeneraliDocumento")
  const sum = (parts: ReadonlyArray<string>, name: string) =>
    parts.reduce((total, part) => total + units(value(part, name)), 0n)
  const taxes = rows.flatMap((row) => {
    const exact = divided(units(value(row, "ImponibileImporto")) * units(value(row, "AliquotaIVA")), 100n * one * cent)
    return distance(exact * cent, units(value(row, "Imposta"))) <= slack ? [] : [`tax of ${rowOf(row)}`]
  })
  const net = sum(rows, "ImponibileImporto")
  const split = rows.filter((row) => value(row, "EsigibilitaIVA") === "S")
  const due = value(xml, "ImportoPagamento")
  const total = net + sum(rows, "Imposta") + units(value(general, "Arrotondamento"))
  return [
    ...taxes,
    // With split payment, the customer does not pay the VAT to the seller.
    ...(split.length > 0 && due !== undefined && units(due) > total - sum(split, "Imposta") ? ["the amount due"] : []),
    ...(net === sum(lines, "PrezzoTotale") ? [] : ["the sum of the lines"]),
    ...(total === units(value(general, "ImportoTotaleDocumento")) ? [] : ["the total"])
  ]
}
