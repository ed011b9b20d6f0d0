import { Schema } from "effect"
import { described } from "../../kernel/Described.ts"
import { isNif, name_characters_max } from "./RecordParties.ts"
import type { InvoicingSystem } from "./InvoiceRecord.ts"

const text = (characters_max: number) =>
  Schema.NonEmptyString.check(
    Schema.isMaxLength(characters_max, { message: `may not have more than ${characters_max} characters.` })
  )

const Nif = Schema.String.check(Schema.makeFilter(isNif, { message: "must be a Spanish NIF, such as B58378431." }))

/**
 * Settings that declare the invoicing system in every record. The producer of the system is the operator of this
 * installation.
 */
export const system_settings = {
  taxpayer_nif: described(Nif, "NIF of the organization, whose records these are."),
  producer_name: described(
    text(name_characters_max),
    "Name of the business that is responsible for this system (productor)."
  ),
  producer_nif: described(Nif, "NIF of that business."),
  system_name: described(text(30), "Name of the system in the producer's declaration."),
  system_id: described(
    Schema.String.check(Schema.isPattern(/^[0-9A-Z]{2}$/, { message: "must be two letters or digits." })),
    "Code of two characters that the producer gave to the system."
  ),
  system_version: described(text(50), "Version of the system in the producer's declaration."),
  installation: described(text(100), "Number that the producer gave to this installation."),
  declaration: described(
    Schema.String.check(
      Schema.makeFilter((url) => URL.canParse(url), { message: "must be the URL of the declaration." })
    ),
    "URL of the producer's signed declaration (declaración responsable), which the law requires."
  )
}

/** The certificate with which an organization authenticates itself to the AEAT, or signs the records that it stores. */
export const certificate_settings = {
  certificate: described(
    Schema.RedactedFromValue(Schema.NonEmptyString),
    "PKCS#12 file (.p12, .pfx) of the taxpayer or of its representative, in base64."
  ),
  certificate_password: described(Schema.RedactedFromValue(Schema.String), "Password of the file.")
}

/** The adapter of organizations that store their records without sending them. */
export const local_adapter = "aeat_local"

const System = Schema.Struct(system_settings)

export const systemOf = (settings: typeof System.Type): InvoicingSystem => ({
  producer_name: settings.producer_name,
  producer_nif: settings.producer_nif,
  name: settings.system_name,
  id: settings.system_id,
  version: settings.system_version,
  installation: settings.installation
})

/** The invoicing system that the records of the sandbox declare. No real authority gets these records. */
export const sandbox_system: InvoicingSystem = {
  producer_name: "Sandbox",
  producer_nif: "B58378431",
  name: "Sandbox",
  id: "SB",
  version: "1",
  installation: "1"
}
