import type { Dialect } from "./Dialect.ts"

/** A tax authority answers for itself; only the Italian one passes on what the recipient says. */
const authority = (codes: Dialect["codes"]): Dialect => ({
  codes,
  evidence: () => "authority_receipt",
  source: () => "authority"
})

/** SdI: ricevuta di consegna, notifica di esito, mancata consegna. */
export const italianDialect: Dialect = {
  ...authority({ sent: ["SDI"], delivered: ["RC"], accepted: ["EC01"], rejected: ["EC02"], undeliverable: ["NS"] }),
  source: (step) => (step === "accepted" || step === "rejected" ? "recipient" : "authority")
}

export const spanishDialect = authority({
  sent: ["Registrado"],
  delivered: ["Correcto"],
  conditionally_accepted: ["AceptadoConErrores"],
  rejected: ["Incorrecto"],
  undeliverable: ["Incorrecto"]
})

/** KSeF: status 200 with the official receipt (UPO). */
export const polishDialect = authority({
  submitted: ["100"],
  sent: ["200"],
  delivered: ["UPO"],
  rejected: ["450"],
  undeliverable: ["450"]
})

export const romanianDialect = authority({
  submitted: ["in prelucrare"],
  sent: ["validat"],
  delivered: ["ok"],
  rejected: ["nok"],
  undeliverable: ["nok"]
})

/** CFDI: stamped by the PAC, then the SAT's own status. */
export const mexicanDialect = authority({
  sent: ["Timbrado"],
  delivered: ["Vigente"],
  rejected: ["Cancelado"],
  undeliverable: ["Rechazado"]
})
