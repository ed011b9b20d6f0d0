/**
 * `npm run einvoices:official -- --rules <folder> --documents 2000 --seed 1` makes random invoices and credit notes of
 * 13 countries in UBL, CII, FatturaPA and as records of VERI*FACTU, and compares the findings of the service with those
 * of the official rules; it lists each missing rule file with its source. It fails when the service accepts an invalid
 * document or refuses a valid one, or when a figure is not exact. `--collections verifactu,fatturapa` and `--sellers
 * DE,NL` limit the run. It needs Saxon-HE and xmllint (Debian: `apt-get install libsaxonhe-java libxml2-utils`).
 */
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { ciiDocument } from "../../src/einvoicing/cii/CiiDocument.ts"
import { fatturaDocument } from "../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { fatturaRules } from "../../src/einvoicing/fatturapa/FatturaRules.ts"
import type { EInvoice } from "../../src/einvoicing/invoice/EInvoice.ts"
import { amount_decimals_max } from "../../src/einvoicing/invoice/Written.ts"
import { findingsIn } from "../../src/einvoicing/rules/Rules.ts"
import { ublDocument } from "../../src/einvoicing/ubl/UblDocument.ts"
import { messageOf } from "../../src/einvoicing/verifactu/aeat/AeatEnvelope.ts"
import { sandbox_system } from "../../src/einvoicing/verifactu/AeatSettings.ts"
import { registrationRecord } from "../../src/einvoicing/verifactu/InvoiceRecord.ts"
import { recordRules } from "../../src/einvoicing/verifactu/RecordRules.ts"
import { exponentOf } from "../../src/kernel/Currency.ts"
import { CustomerId } from "../../src/kernel/Ids.ts"
import { Random } from "../support/Random.ts"
import { type Form, mistakesIn } from "./ExactAmounts.ts"
import { brokenControls, fatturaMistakes } from "./FatturaControls.ts"
import { misshapen, missingIn, type Stylesheet, verdictsOf, type XmlSchema } from "./OfficialRules.ts"
import { randomDocument, randomFattura, randomRecorded } from "./RandomDocuments.ts"

const { values } = parseArgs({
  options: {
    rules: { type: "string", default: process.env["EINVOICING_RULES"] ?? "" },
    documents: { type: "string", default: "200" },
    collections: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    sellers: { type: "string", default: "" }
  }
})

interface Judged {
  readonly path: string
  readonly schema: XmlSchema
  /** Rules that the document breaks according to the service. */
  readonly ours: ReadonlyArray<string>
  /** Rules that the document breaks according to the official files. */
  readonly theirs: Array<string>
}

/** Documents in one syntax that are checked by the same stylesheets. */
interface Collection {
  readonly form: Form | "fatturapa" | "verifactu"
  readonly stylesheets: ReadonlyArray<Stylesheet>
  /** True if the official files contain every rule by which the service may refuse a document. */
  readonly isWhole: boolean
}

const collections = {
  peppol: { form: "ubl", stylesheets: ["cen_ubl", "peppol"], isWhole: true },
  peppol_german: { form: "ubl", stylesheets: ["cen_ubl", "peppol", "xrechnung_ubl"], isWhole: true },
  facturx: { form: "cii", stylesheets: ["cen_cii", "facturx"], isWhole: true },
  french_ubl: { form: "ubl", stylesheets: ["cen_ubl", "french_ubl"], isWhole: true },
  french_cii: { form: "cii", stylesheets: ["cen_cii", "facturx", "french_cii"], isWhole: true },
  // The service also checks these documents by the rules of Peppol, which the two stylesheets do not contain.
  dutch: { form: "ubl", stylesheets: ["cen_ubl", "si_ubl"], isWhole: false },
  // The service also checks these documents by the rules of Peppol, which have no stylesheet for CII.
  cii_german: { form: "cii", stylesheets: ["cen_cii", "xrechnung_cii"], isWhole: false },
  // The Sistema di Interscambio (SdI) publishes its formal controls only as text, so this tool implements them itself.
  fatturapa: { form: "fatturapa", stylesheets: [], isWhole: true },
  // The Spanish tax agency publishes only its schema as a file.
  verifactu: { form: "verifactu", stylesheets: [], isWhole: false }
} as const satisfies Record<string, Collection>
type CollectionName = keyof typeof collections
const all_names = Object.keys(collections) as ReadonlyArray<CollectionName>
const chosen = new Set(values.collections === "" ? all_names : values.collections.split(","))
const names = all_names.filter((name) => chosen.has(name))

const missing = missingIn(values.rules)
if (missing.length > 0) {
  console.error(`The folder of --rules (or EINVOICING_RULES) lacks:\n  ${missing.join("\n  ")}`)
  process.exit(1)
}

/** BR-DE-21 requires the specification identifier of XRechnung (BT-24), but the documents state that of Peppol. */
const not_about_content = new Set(["BR-DE-21"])
/** True for rules of EN 16931 in the stylesheet of SI-UBL 2.0, which contains an old version of them. */
const isOutdated = (stylesheet: Stylesheet, rule: string) => stylesheet === "si_ubl" && !rule.startsWith("BR-NL-")
const findings_shown_max = 20

const customer_id = CustomerId.make(1)
const folder = mkdtempSync(join(tmpdir(), "einvoices-"))
for (const name of names) mkdirSync(join(folder, name))

const judged = new Map<string, Judged>()
const inexact: Array<string> = []

const writers = {
  ubl: ublDocument,
  cii: ciiDocument,
  fatturapa: (einvoice: EInvoice) => fatturaDocument(einvoice, { progressive: "00001", regime: "RF01" }),
  verifactu: (einvoice: EInvoice) => {
    const link = { previous: null, generated_at: "2026-11-01T09:30:00+01:00" }
    const { xml } = registrationRecord(einvoice, { system: sandbox_system, link, isCorrection: false })
    return messageOf({ issuer: "B58378431", issuer_name: "Acme", isLate: false, last_day: null, records: [xml] })
  }
}
const rules_of: Record<keyof typeof writers, typeof findingsIn> = {
  ubl: findingsIn,
  cii: findingsIn,
  fatturapa: (einvoice, id) => fatturaRules(einvoice, id, "RF01", einvoice.issue_date),
  verifactu: (einvoice, id) => recordRules(einvoice, id, einvoice.issue_date)
}

const add = (name: CollectionName, document: string, einvoice: EInvoice) => {
  if (!names.includes(name)) return
  const { form } = collections[name]
  const path = join(folder, name, `${document}-${einvoice.kind}.xml`)
  const xml = writers[form](einvoice)
  // The service only warns of broken SI-UBL rules, because Peppol does not have them. Here they count as errors.
  const findings = rules_of[form](einvoice, customer_id).filter(
    ({ rule, severity }) => severity === "error" || (name === "dutch" && rule.startsWith("BR-NL-"))
  )
  const ubl_schema = einvoice.kind === "invoice" ? "ubl_invoice" : "ubl_credit_note"
  const schema = form === "ubl" ? ubl_schema : form
  const theirs = form === "fatturapa" ? [...brokenControls(xml, einvoice.issue_date)] : []
  judged.set(path, { path, schema, ours: findings.map(({ rule }) => rule), theirs })
  writeFileSync(path, xml)
  if (findings.length > 0 || form === "verifactu") return
  const decimals = Math.min(exponentOf(einvoice.currency), amount_decimals_max)
  const mistakes =
    form === "fatturapa" ? fatturaMistakes(xml, einvoice.currency !== "EUR") : mistakesIn(form, xml, decimals)
  inexact.push(...mistakes.map((mistake) => `${path} ${mistake}`))
}

const sellers = new Set(values.sellers.split(",").filter((code) => code !== ""))
const random = new Random(Number(values.seed))
const started = performance.now()
for (let index = 1; index <= Number(values.documents); index++) {
  if (sellers.size === 0) {
    const italian = randomFattura(random, index, index % 2 === 0)
    add("fatturapa", italian.name, italian.fattura)
    add("verifactu", `${String(index).padStart(5, "0")}-ES`, randomRecorded(random, index))
  }
  const { cii, countries, dutch, french, name, ubl } = randomDocument(random, index, sellers)
  const isGerman = countries === "DE-DE"
  add(isGerman ? "peppol_german" : "peppol", name, ubl)
  add("facturx", name, cii)
  if (isGerman) add("cii_german", name, ubl)
  if (dutch !== null) add("dutch", name, dutch)
  if (french === null) continue
  add("french_ubl", name, french)
  add("french_cii", name, french)
}

for (const name of names) {
  if (readdirSync(join(folder, name)).length === 0) continue
  for (const stylesheet of collections[name].stylesheets) {
    for (const [file, rules] of await verdictsOf(values.rules, stylesheet, join(folder, name))) {
      const content = rules.filter((rule) => !not_about_content.has(rule) && !isOutdated(stylesheet, rule))
      judged.get(join(folder, name, file))?.theirs.push(...content)
    }
  }
}
const paths_of = (isOf: (of: Judged) => boolean) => [...judged.values()].filter(isOf).map(({ path }) => path)
const shapes: ReadonlyArray<readonly [XmlSchema, ReadonlyArray<string>]> = [
  ...(["ubl_invoice", "ubl_credit_note", "cii", "fatturapa", "verifactu"] as const).map(
    (schema) => [schema, paths_of((of) => of.schema === schema)] as const
  ),
  ["facturx", paths_of(({ path }) => path.startsWith(join(folder, "facturx")))]
]
for (const [schema, paths] of shapes) {
  for (const path of await misshapen(values.rules, schema, paths)) judged.get(path)?.theirs.push(`XSD ${schema}`)
}

const isWhole = ({ path }: Judged) => collections[basename(dirname(path)) as CollectionName].isWhole
const all = [...judged.values()]
const accepted = all.filter(({ ours }) => ours.length === 0)
const invalid = accepted.filter(({ theirs }) => theirs.length > 0)
/**
 * The service requires a tender code (CIG) because of the law on public procurement; the formal controls of the Sistema
 * di Interscambio have no such rule.
 */
const beyond_controls = new Set(["IT-CIG"])
const wrongly = all.filter(
  (of) => of.ours.some((rule) => !beyond_controls.has(rule)) && of.theirs.length === 0 && isWhole(of)
)
const shown = (documents: ReadonlyArray<Judged>) =>
  documents
    .slice(0, findings_shown_max)
    .map(({ ours, path, theirs }) => `\n  ${path}: ours ${ours.join(" ")}, theirs ${theirs.join(" ")}`)
    .join("")
const counted = (documents: ReadonlyArray<Judged>, rules: (of: Judged) => ReadonlyArray<string>) =>
  [
    ...Map.groupBy(
      documents.flatMap((of) => [...new Set(rules(of))]),
      (rule) => rule
    )
  ]
    .map(([rule, of]) => `${rule} ${of.length}`)
    .join(", ")

console.log(`${values.documents} invoices and credit notes, ${all.length} files, seed ${values.seed}, in ${folder}`)
console.log(`accepted: ${accepted.length}, of these invalid: ${invalid.length} ${counted(invalid, (of) => of.theirs)}`)
console.log(`refused: ${all.length - accepted.length} (${counted(all, ({ ours }) => ours)})`)
console.log(`of these valid by every official rule: ${wrongly.length} ${counted(wrongly, ({ ours }) => ours)}`)
console.log(`figures that do not follow exactly: ${inexact.length}`)
console.log([shown(invalid), shown(wrongly), inexact.slice(0, findings_shown_max).join("\n")].join("\n").trim())
console.log(`${Math.round((performance.now() - started) / 1000)} s`)
process.exitCode = invalid.length + wrongly.length + inexact.length === 0 ? 0 : 1
