import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

const folder = process.env["EINVOICING_RULES"] ?? ""
const saxon = process.env["SAXON_JAR"] ?? "/usr/share/java/Saxon-HE.jar"

/**
 * Validates messages with files of the folder EINVOICING_RULES (not in this repository) and Saxon-HE. Returns the
 * broken rules; none without the files. Throws if a message does not follow the schema.
 */
const rulesOf = (name: string, files: { readonly schema: string; readonly rules: string }) => {
  const [schema, rules] = [join(folder, files.schema), join(folder, files.rules)]
  const isThere = [schema, rules, saxon].every(existsSync)
  if (!isThere) process.stderr.write(`The rules of ${name} are absent (EINVOICING_RULES), so they judged nothing.\n`)
  return (message: Uint8Array | string): ReadonlyArray<string> => {
    if (!isThere) return []
    const place = mkdtempSync(join(tmpdir(), "message-"))
    onTestFinished(() => rmSync(place, { recursive: true }))
    const path = join(place, "message.xml")
    writeFileSync(path, message)
    execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, path], { stdio: "pipe" })
    execFileSync("java", ["-cp", saxon, "net.sf.saxon.Transform", `-s:${path}`, `-xsl:${rules}`, `-o:${path}.svrl`])
    return Array.from(
      readFileSync(`${path}.svrl`, "utf8").matchAll(/<svrl:failed-assert[^>]*\bid="([^"]+)"/g),
      ([, id = ""]) => id
    )
  }
}

/** Rules of French life cycle messages (github.com/fnfempe/France_RFE). */
export const brokenByLifecycle = rulesOf("life cycle messages", {
  schema: "FNFE_RFE_INVOICE/CDAR/1xsd-CDAR_D22B_uncoupled/CrossDomainAcknowledgementAndResponse_100pD22B.xsd",
  rules: "FNFE_RFE_INVOICE/CDAR/2xslt/BR-FR-CDV-Schematron-CDAR.xslt"
})

/** Rules of Invoice Responses (github.com/phax/phive-rules: phive-rules-peppol, openpeppol/2026.5/xslt). */
export const brokenByResponse = rulesOf("Invoice Responses", {
  schema: "ubl-xsd/maindoc/UBL-ApplicationResponse-2.1.xsd",
  rules: "PEPPOLBIS-T111.xslt"
})
