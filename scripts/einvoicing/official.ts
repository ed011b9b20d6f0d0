/**
 * `npm run einvoices:official -- --rules <folder> --documents 2000 --seed 1`: makes random invoices and credit notes of
 * 13 countries in UBL and CII, and compares what the service says of each with the official rules. The rules are not
 * part of this repository: without a complete folder the tool says where to get which file. It needs Saxon-HE and
 * xmllint, in Debian `apt-get install libsaxonhe-java libxml2-utils`. It fails when a document that the service accepts
 * is invalid, when it refuses one that every rule accepts, or when a figure is wrong by one unit.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { ciiDocument } from "../../src/einvoicing/cii/CiiDocument.ts"
import type { EInvoice } from "../../src/einvoicing/invoice/EInvoice.ts"
import { amount_decimals_max } from "../../src/einvoicing/invoice/Written.ts"
import { findingsIn } from "../../src/einvoicing/rules/Rules.ts"
import { ublDocument } from "../../src/einvoicing/ubl/UblDocument.ts"
import { exponentOf } from "../../src/kernel/Currency.ts"
import { CustomerId } from "../../src/kernel/Ids.ts"
import { Random } from "../Random.ts"
import { type Form, mistakesIn } from "./ExactAmounts.ts"
import { misshapen, missingIn, type Stylesheet, verdictsOf, type XmlSchema } from "./OfficialRules.ts"
import { randomDocument } from "./RandomDocuments.ts"

const { values } = parseArgs({
  options: {
    rules: { type: "string", default: process.env["EINVOICING_RULES"] ?? "" },
    documents: { type: "string", default: "200" },
    seed: { type: "string", default: "1" }
  }
})

/** One form of a document, and what is said of it. */
interface Judged {
  readonly name: string
  readonly form: Form
  readonly isGerman: boolean
  /** Rules by which the service refuses it. */
  readonly ours: ReadonlyArray<string>
  /** Rules by which the official files do. */
  readonly theirs: Array<string>
}

const missing = missingIn(values.rules)
if (missing.length > 0) {
  console.error(`The folder of --rules (or EINVOICING_RULES) lacks:\n  ${missing.join("\n  ")}`)
  process.exit(1)
}

const customer_id = CustomerId.make(1)
const folder = mkdtempSync(join(tmpdir(), "einvoices-"))
const folders = { ubl: join(folder, "ubl"), cii: join(folder, "cii") }
const german = { ubl: join(folder, "german-ubl"), cii: join(folder, "german-cii") }
for (const path of [...Object.values(folders), ...Object.values(german)]) mkdirSync(path)

const judged = new Map<string, Judged>()
const inexact: Array<string> = []
const schema_of = new Map<string, XmlSchema>()

const add = (form: Form, name: string, einvoice: EInvoice, xml: string, isGerman: boolean) => {
  const file = `${name}-${einvoice.kind}.xml`
  const path = join(folders[form], file)
  const findings = findingsIn(einvoice, customer_id).filter(({ severity }) => severity === "error")
  const ours = findings.map(({ rule }) => rule)
  judged.set(`${form}/${file}`, { name: path, form, isGerman, ours, theirs: [] })
  schema_of.set(path, form === "cii" ? "cii" : einvoice.kind === "invoice" ? "ubl_invoice" : "ubl_credit_note")
  writeFileSync(path, xml)
  if (isGerman) writeFileSync(join(german[form], file), xml)
  if (ours.length > 0) return
  const decimals = Math.min(exponentOf(einvoice.currency), amount_decimals_max)
  inexact.push(...mistakesIn(form, xml, decimals).map((mistake) => `${path} ${mistake}`))
}

const random = new Random(Number(values.seed))
const started = performance.now()
for (let index = 1; index <= Number(values.documents); index++) {
  const { cii, countries, name, ubl } = randomDocument(random, index)
  const isGerman = countries === "DE-DE"
  add("ubl", name, ubl, ublDocument(ubl), isGerman)
  add("cii", name, cii, ciiDocument(cii), isGerman)
}

const note = (form: Form, file: string, rules: ReadonlyArray<string>) =>
  judged.get(`${form}/${file}`)?.theirs.push(...rules)

/** The document does not name XRechnung as its specification, which is all that this rule is about. */
const not_about_content = new Set(["BR-DE-21"])
/** CIUS of Germany for its authorities: what it adds is asked of documents that Peppol's own rules for Germany accept. */
const runs: ReadonlyArray<readonly [Form, Stylesheet, string]> = [
  ["ubl", "cen_ubl", folders.ubl],
  ["ubl", "peppol", folders.ubl],
  ["ubl", "xrechnung_ubl", german.ubl],
  ["cii", "cen_cii", folders.cii],
  ["cii", "facturx", folders.cii]
]
for (const [form, stylesheet, documents] of runs) {
  for (const [file, rules] of await verdictsOf(values.rules, stylesheet, documents)) {
    note(
      form,
      file,
      rules.filter((rule) => !not_about_content.has(rule))
    )
  }
}
// Only what Peppol's rules for Germany accept: EN 16931 alone asks for less than XRechnung does.
for (const [file, rules] of await verdictsOf(values.rules, "xrechnung_cii", german.cii)) {
  if (judged.get(`ubl/${file}`)?.ours.length === 0) {
    note(
      "cii",
      file,
      rules.filter((rule) => !not_about_content.has(rule))
    )
  }
}
const by_schema = Map.groupBy(schema_of.keys(), (path) => schema_of.get(path) ?? "cii")
const shapes = [...by_schema, ["facturx", by_schema.get("cii") ?? []] as const]
for (const [schema, paths] of shapes) {
  for (const path of await misshapen(values.rules, schema, paths)) {
    note(schema.startsWith("ubl") ? "ubl" : "cii", basename(path), [`XSD ${schema}`])
  }
}

const all = [...judged.values()]
const accepted = all.filter(({ ours }) => ours.length === 0)
const invalid = accepted.filter(({ theirs }) => theirs.length > 0)
const wrongly = all.filter(({ ours, theirs }) => ours.length > 0 && theirs.length === 0)
const shown = ({ name, ours, theirs }: Judged) => `  ${name}: ours ${ours.join(" ")} / theirs ${theirs.join(" ")}`
const counted = (documents: ReadonlyArray<Judged>, rules: (of: Judged) => ReadonlyArray<string>) =>
  [
    ...Map.groupBy(
      documents.flatMap((of) => [...new Set(rules(of))]),
      (rule) => rule
    )
  ]
    .map(([rule, of]) => `${rule} ${of.length}`)
    .join(", ")

console.log(`${all.length} documents (${values.documents} of each form), seed ${values.seed}, ${folder}`)
console.log(
  `accepted ${accepted.length}, of these invalid ${invalid.length}: ${counted(invalid, ({ theirs }) => theirs)}`
)
console.log(invalid.slice(0, 20).map(shown).join("\n"))
console.log(`refused ${all.length - accepted.length}: ${counted(all, ({ ours }) => ours)}`)
console.log(`of these valid by every official rule ${wrongly.length}: ${counted(wrongly, ({ ours }) => ours)}`)
console.log(wrongly.slice(0, 20).map(shown).join("\n"))
console.log(`figures that do not follow exactly ${inexact.length}`)
console.log(inexact.slice(0, 20).join("\n"))
console.log(`${Math.round((performance.now() - started) / 1000)} s`)
process.exitCode = invalid.length + wrongly.length + inexact.length === 0 ? 0 : 1
