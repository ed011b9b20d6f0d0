import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const output_bytes_max = 1e9
const arguments_max = 200

interface RuleFile {
  readonly file: string
  readonly source: string
}

const cen = "github.com/ConnectingEurope/eInvoicing-EN16931 (1.3.16)"
const phive = "github.com/phax/phive-rules"
const fnfe = "github.com/fnfempe/France_RFE"

/** Stylesheets that the folder of `--rules` must contain under these names. */
const stylesheets = {
  cen_ubl: { file: "EN16931-UBL-validation.xslt", source: `${cen}: ubl/xslt` },
  cen_cii: { file: "EN16931-CII-validation.xslt", source: `${cen}: cii/xslt` },
  peppol: { file: "PEPPOL-EN16931-UBL.xslt", source: `${phive}: phive-rules-peppol, openpeppol/2026.5/xslt` },
  xrechnung_ubl: { file: "XRechnung-UBL-validation.xslt", source: `${phive}: phive-rules-xrechnung, 3.0.2` },
  xrechnung_cii: { file: "XRechnung-CII-validation.xslt", source: `${phive}: phive-rules-xrechnung, 3.0.2` },
  french_ubl: {
    file: "BR-FR-Flux2-Schematron-UBL.xslt",
    source: `${phive}: phive-rules-france, ctc/1.4.0.03/xslt, without date and version`
  },
  french_cii: {
    file: "BR-FR-Flux2-Schematron-CII.xslt",
    source: `${phive}: phive-rules-france, ctc/1.4.0.03/xslt, without date and version`
  },
  si_ubl: { file: "si-ubl-2.0.xsl", source: "github.com/peppolautoriteit-nl/validation: xsl" },
  facturx: { file: "FACTUR-X_EN16931.xslt", source: `${fnfe}: FNFE_RFE_INVOICE/Factur-X/EN16931/2xslt` }
} as const satisfies Record<string, RuleFile>
export type Stylesheet = keyof typeof stylesheets

/** Code list in the folder of the Factur-X stylesheet, which reads it. */
const facturx_codes: RuleFile = { file: "FACTUR-X_EN16931_codedb.xml", source: stylesheets.facturx.source }

const schemas = {
  ubl_invoice: { file: "ubl-xsd/maindoc/UBL-Invoice-2.1.xsd", source: `${fnfe}: UBL/1xsd_UBL2.1, as ubl-xsd` },
  ubl_credit_note: { file: "ubl-xsd/maindoc/UBL-CreditNote-2.1.xsd", source: `${fnfe}: UBL/1xsd_UBL2.1, as ubl-xsd` },
  cii: {
    file: "cii-xsd/CrossIndustryInvoice_100pD22B.xsd",
    source: `${fnfe}: CII/1xsd-CII_D22B_uncoupled, as cii-xsd`
  },
  facturx: {
    file: "facturx-xsd/Factur-X_EN16931.xsd",
    source: `${fnfe}: Factur-X/EN16931/1xsd, as facturx-xsd`
  },
  fatturapa: {
    file: "fatturapa-xsd/FatturaPA.xsd",
    source:
      "github.com/phax/ph-fatturapa: Schema_del_file_xml_FatturaPA_v1.2.2.xsd, whose import gets the schemaLocation " +
      "xmldsig-core-schema.xsd (github.com/italia/fatturapa-testsdi: core/schemas)"
  },
  verifactu: {
    file: "verifactu-xsd/SuministroLR.xsd",
    source:
      "github.com/invopop/gobl.verifactu: test/schema, as verifactu-xsd; the import of SuministroInformacion.xsd gets the " +
      "schemaLocation xmldsig-core-schema.xsd"
  },
  sdi_notice: {
    file: "fatturapa-xsd/MessaggiFatturaTypes_v1.0.xsd",
    source:
      "the technical documents of the Agenzia delle Entrate (github.com/fabiosoggia/e-fatture-ws-client: resources)"
  }
} as const satisfies Record<string, RuleFile>
export type XmlSchema = keyof typeof schemas

export const missingIn = (folder: string): ReadonlyArray<string> =>
  [...Object.values(stylesheets), facturx_codes, ...Object.values(schemas)].flatMap(({ file, source }) =>
    existsSync(join(folder, file)) ? [] : [`${file}  from ${source}`]
  )

/** The rules that each document breaks, by the file name of the document. */
type Verdicts = ReadonlyMap<string, ReadonlyArray<string>>

/** Runs a stylesheet over all documents of a folder, in one process of Saxon-HE (Debian: libsaxonhe-java). */
export const verdictsOf = async (rules: string, stylesheet: Stylesheet, documents: string): Promise<Verdicts> => {
  const results = `${documents}.${stylesheet}`
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results)
  const jar = process.env["SAXON_JAR"] ?? "/usr/share/java/Saxon-HE.jar"
  const { file } = stylesheets[stylesheet]
  const xslt = inXslt2(join(rules, file), documents)
  const saxon = ["-cp", jar, "net.sf.saxon.Transform", `-s:${documents}`, `-o:${results}`, `-xsl:${xslt}`]
  await run("java", saxon, { maxBuffer: output_bytes_max })
  return new Map(
    readdirSync(documents).map((name) => {
      const report = readFileSync(join(results, name), "utf8")
      if (!report.includes("schematron-output")) throw new Error(`${name} has no report of ${file}.`)
      return [name, fatalIn(report)]
    })
  )
}

/** Finds steps such as `(a:b | a:c)` in match patterns. The French rules use them, but XSLT 2.0 does not allow them. */
const unions = /(?<=match="(?:[^"]*\/)?)\((\w+:\w+) \| (\w+:\w+)\)/g

/** Returns the path of the stylesheet, or of an equal copy in XSLT 2.0, the version that Saxon-HE 9.9 supports. */
const inXslt2 = (path: string, documents: string): string => {
  const text = readFileSync(path, "utf8")
  const rewritten = text.replace(unions, "*[self::$1 or self::$2]")
  if (rewritten === text) return path
  const copy = `${documents}.${basename(path)}`
  writeFileSync(copy, rewritten)
  return copy
}

const fatalIn = (report: string): ReadonlyArray<string> =>
  Array.from(report.matchAll(/<svrl:failed-assert\b([^>]*)>/g), ([, attributes = ""]) => attributes).flatMap(
    (attributes) => {
      const level = /\b(?:flag|role)="(\w+)"/.exec(attributes)?.[1] ?? "fatal"
      return level === "fatal" || level === "error" ? [/\bid="([^"]+)"/.exec(attributes)?.[1] ?? "?"] : []
    }
  )

/** Returns the paths of the documents that do not follow the schema (xmllint; Debian: libxml2-utils). */
export const misshapen = async (rules: string, schema: XmlSchema, paths: ReadonlyArray<string>) => {
  const wrong: Array<string> = []
  for (let at = 0; at < paths.length; at += arguments_max) {
    const args = [
      "--noout",
      "--nonet",
      "--schema",
      join(rules, schemas[schema].file),
      ...paths.slice(at, at + arguments_max)
    ]
    const said = await run("xmllint", args, { maxBuffer: output_bytes_max }).catch((failure) => failure)
    // Nothing was checked, for example because a file that the schema imports is missing.
    if (/failed to compile/.test(String(said.stderr))) throw new Error(`${schemas[schema].file} is no schema.`)
    wrong.push(...Array.from(String(said.stderr).matchAll(/^(\S+) fails to validate$/gm), ([, path = ""]) => path))
  }
  return wrong
}
