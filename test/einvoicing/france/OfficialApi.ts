import { Ajv } from "ajv"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The folder EINVOICING_RULES must have the OpenAPI documents of XP Z12-013 (github.com/fnfempe/France_RFE,
 * FNFE_RFE_INVOICE/Z.notes_&_docs/XP_Z12_013_Annex).
 */
const documents = { flow: "xp-z12-013/flow-service.json", directory: "xp-z12-013/directory-service.json" }
type Service = keyof typeof documents

const folder = process.env["EINVOICING_RULES"] ?? ""
const isOfficial = Object.values(documents).every((file) => existsSync(join(folder, file)))
if (!isOfficial) process.stderr.write("The OpenAPI documents of XP Z12-013 are absent (EINVOICING_RULES).\n")

/**
 * Corrects two mistakes of the official schemas, which would otherwise refuse every value: `Disabled` is longer than
 * its limit, and a code matches both alternatives of `oneOf`.
 */
const mended = (key: string, value: unknown) => {
  if (typeof value !== "object" || value === null) return value
  if ("maxLength" in value && "enum" in value) return { ...value, maxLength: Number.MAX_SAFE_INTEGER }
  return key === "ReasonCode" && "oneOf" in value ? { anyOf: value.oneOf } : value
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
if (isOfficial) {
  for (const [service, file] of Object.entries(documents)) {
    ajv.addSchema(JSON.parse(readFileSync(join(folder, file), "utf8"), mended), service)
  }
}

/** Throws unless the value matches the official schema; does nothing where the official documents are absent. */
export const requireOfficial = (service: Service, schema: string, value: unknown) => {
  if (!isOfficial) return
  const validate = ajv.getSchema(`${service}#/components/schemas/${schema}`)
  if (validate === undefined) throw new Error(`${service} has no schema ${schema}.`)
  if (validate(value) !== true)
    throw new Error(`${JSON.stringify(value)} is no ${schema}: ${ajv.errorsText(validate.errors)}`)
}
