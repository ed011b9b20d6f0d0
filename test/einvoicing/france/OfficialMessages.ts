import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/**
 * The schema and the rules of life cycle messages, which are not part of this repository. They belong to
 * github.com/fnfempe/France_RFE, and are looked for in the folder of EINVOICING_RULES. The rules need Saxon-HE.
 */
const folder = join(process.env["EINVOICING_RULES"] ?? "", "FNFE_RFE_INVOICE/CDAR")
const schema = join(folder, "1xsd-CDAR_D22B_uncoupled/CrossDomainAcknowledgementAndResponse_100pD22B.xsd")
const rules = join(folder, "2xslt/BR-FR-CDV-Schematron-CDAR.xslt")
const saxon = process.env["SAXON_JAR"] ?? "/usr/share/java/Saxon-HE.jar"
const isThere = [schema, rules, saxon].every(existsSync)
if (!isThere)
  process.stderr.write("The rules of life cycle messages are absent (EINVOICING_RULES), so they judged nothing.\n")

/** The rules that a message breaks; empty, too, where the rules are absent. Throws if it does not have the schema. */
export const brokenRules = (message: Uint8Array): ReadonlyArray<string> => {
  if (!isThere) return []
  const place = mkdtempSync(join(tmpdir(), "cdar-"))
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
