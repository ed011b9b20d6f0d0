import { sha256Hex } from "../../platform/crypto/Digest.ts"

/** The fields of a registration record that its hash (Huella) covers, spelled as in the record. */
interface RegistrationFacts {
  readonly issuer: string
  readonly number: string
  readonly date: string
  readonly type: string
  readonly tax_total: string
  readonly total: string
  readonly previous_hash: string
  readonly generated_at: string
}

export const registrationHash = (facts: RegistrationFacts): string =>
  hashOf([
    ["IDEmisorFactura", facts.issuer],
    ["NumSerieFactura", facts.number],
    ["FechaExpedicionFactura", facts.date],
    ["TipoFactura", facts.type],
    ["CuotaTotal", facts.tax_total],
    ["ImporteTotal", facts.total],
    ["Huella", facts.previous_hash],
    ["FechaHoraHusoGenRegistro", facts.generated_at]
  ])

export const cancellationHash = (
  facts: Pick<RegistrationFacts, "issuer" | "number" | "date" | "previous_hash" | "generated_at">
): string =>
  hashOf([
    ["IDEmisorFacturaAnulada", facts.issuer],
    ["NumSerieFacturaAnulada", facts.number],
    ["FechaExpedicionFacturaAnulada", facts.date],
    ["Huella", facts.previous_hash],
    ["FechaHoraHusoGenRegistro", facts.generated_at]
  ])

/** The fields of an event that its hash (HuellaEvento) covers. */
interface EventFacts {
  readonly producer_nif: string
  readonly system_id: string
  readonly version: string
  readonly installation: string
  readonly taxpayer_nif: string
  readonly type: string
  readonly previous_hash: string
  readonly generated_at: string
}

/** The hashed text has fields for a NIF and another identifier (ID) of the producer; one is always empty. */
export const eventHash = (facts: EventFacts): string =>
  hashOf([
    ["NIF", facts.producer_nif],
    ["ID", ""],
    ["IdSistemaInformatico", facts.system_id],
    ["Version", facts.version],
    ["NumeroInstalacion", facts.installation],
    ["NIF", facts.taxpayer_nif],
    ["TipoEvento", facts.type],
    ["HuellaEvento", facts.previous_hash],
    ["FechaHoraHusoGenEvento", facts.generated_at]
  ])

const hashOf = (fields: ReadonlyArray<readonly [name: string, value: string]>): string =>
  sha256Hex(fields.map(([name, value]) => `${name}=${value.trim()}`).join("&")).toUpperCase()
