import { describe, expect, it, onTestFinished } from "vitest"
import { brokenControls, fatturaMistakes } from "../../../scripts/einvoicing/FatturaControls.ts"
import { misshapen } from "../../../scripts/einvoicing/OfficialRules.ts"
import { randomFattura } from "../../../scripts/einvoicing/RandomDocuments.ts"
import { Random } from "../../../scripts/support/Random.ts"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { fatturaRules } from "../../../src/einvoicing/fatturapa/FatturaRules.ts"
import { addDays } from "../../../src/kernel/Calendar.ts"
import { customer_id } from "../ubl/Documents.ts"

const sending = { progressive: "0000A", regime: "RF01" } as const

/** Rules of the schema and of the law that are not among the formal controls of the Sistema di Interscambio. */
const beyond_controls = new Set(["00200", "IT-CIG", "IT-EUR", "IT-SPLIT"])

describe("the rules of a FatturaPA", () => {
  it("let no random document pass that breaks a formal control or is inexact, and refuse no other", async () => {
    const random = new Random(26)
    const folder = mkdtempSync(join(tmpdir(), "fatture-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const accepted: Array<string> = []
    for (let index = 1; index <= 600; index++) {
      const { fattura, name } = randomFattura(random, index, index % 2 === 0)
      const xml = fatturaDocument(fattura, sending)
      // Every tenth document is dated one day in the future.
      const today = index % 10 === 0 ? addDays(fattura.issue_date, -1) : fattura.issue_date
      const errors = fatturaRules(fattura, customer_id, "RF01", today).filter(({ severity }) => severity === "error")
      const broken = brokenControls(xml, today)
      if (errors.length === 0) {
        expect([name, broken, fatturaMistakes(xml, fattura.currency !== "EUR")]).toEqual([name, [], []])
        const path = join(folder, `${name}.xml`)
        writeFileSync(path, xml)
        accepted.push(path)
      } else if (errors.every(({ rule }) => !beyond_controls.has(rule))) {
        expect([name, broken.length > 0, errors]).toEqual([name, true, errors])
      }
    }
    const offices = accepted.filter((path) => path.includes("office"))
    expect([offices.length > 100, accepted.length - offices.length > 100]).toEqual([true, true])
    const rules = process.env["EINVOICING_RULES"] ?? ""
    if (existsSync(join(rules, "fatturapa-xsd"))) expect(await misshapen(rules, "fatturapa", accepted)).toEqual([])
    else process.stderr.write("The schema of FatturaPA is absent (EINVOICING_RULES), so it judged nothing.\n")
  })
})
