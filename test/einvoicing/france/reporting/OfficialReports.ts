import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/**
 * The folder EINVOICING_RULES must have, as `flux10`, the schema and the rules of flow 10 (version 1.0 of the AIFE)
 * from github.com/phax/phive-rules (phive-rules-france: schemas/flux10/1.0, schematron/flux10/1.0/xslt). The rules need
 * Saxon-HE.
 */
const folder = join(process.env["EINVOICING_RULES"] ?? "", "flux10")
const schema = join(folder, "ereporting.xsd")
const rules = join(folder, "PPF_Flux10_v1_0.xslt")
const saxon = process.env["SAXON_JAR"] ?? "/usr/share/java/Saxon-HE.jar"
const isThere = [schema, rules, saxon].every(existsSync)
if (!isThere) process.stderr.write("The rules of e-reporting are absent (EINVOICING_RULES), so they judged nothing.\n")

/** The rules that reports break; none without the rule files. Throws if a report does not follow the schema. */
export const brokenByReports = (reports: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!isThere) return []
  const place = mkdtempSync(join(tmpdir(), "flux10-"))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const [written, results] = [join(place, "reports"), join(place, "results")]
  for (const each of [written, results]) mkdirSync(each)
  reports.forEach((report, index) => writeFileSync(join(written, `${index}.xml`), report))
  const files = readdirSync(written).map((name) => join(written, name))
  execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, ...files], { stdio: "pipe" })
  execFileSync("java", ["-cp", saxon, "net.sf.saxon.Transform", `-s:${written}`, `-xsl:${rules}`, `-o:${results}`])
  return readdirSync(written).flatMap((name) => {
    const verdict = readFileSync(join(results, name), "utf8")
    if (!verdict.includes("schematron-output")) throw new Error(`${name} has no verdict.`)
    return Array.from(
      verdict.matchAll(/<svrl:failed-assert[\s\S]*?<svrl:text>([\s\S]*?)<\/svrl:text>/g),
      ([, text = ""]) => `${name} ${text}`
    )
  })
}
