import type { Dialect } from "./Dialect.ts"

/** Authorities send their own answers. Only the Italian authority also forwards those of the recipient. */
const authority = (codes: Dialect["codes"]): Dialect => ({
  codes,
  evidence: () => "authority_receipt",
  source: () => "authority"
})

/** RC: delivered; EC01 and EC02: accepted or rejected by the buyer; NS: refused. */
export const italianDialect: Dialect = {
  ...authority({ sent: ["SDI"], delivered: ["RC"], accepted: ["EC01"], rejected: ["EC02"], undeliverable: ["NS"] }),
  source: (step) => (step === "accepted" || step === "rejected" ? "recipient" : "authority")
}

/** In Spain, the tax agency's answer is the last message, because the agency forwards no answers of recipients. */
export const spanishDialect: Dialect = {
  ...authority({
    sent: ["Registrado"],
    accepted: ["Correcto"],
    conditionally_accepted: ["AceptadoConErrores"],
    rejected: ["Incorrecto"],
    undeliverable: ["Incorrecto"]
  }),
  progress: { conditionally_accepted: "accepted" }
}

/** The Polish KSeF answers with status 200, and later with the official receipt (UPO). */
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

/** A certified provider (PAC) stamps the invoice (CFDI); then the tax authority (SAT) reports its status. */
export const mexicanDialect = authority({
  sent: ["Timbrado"],
  delivered: ["Vigente"],
  rejected: ["Cancelado"],
  undeliverable: ["Rechazado"]
})
