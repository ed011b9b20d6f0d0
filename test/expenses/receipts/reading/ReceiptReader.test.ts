import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import sharp from "sharp"
import { crossIndustryInvoice, ublInvoice } from "../extraction/embedded/EmbeddedInvoices.ts"
import { attachmentOfBombPdf, attachmentPdf, attachmentsPdf } from "../../../support/files/HostilePdfs.ts"
import {
  logoLastPdf,
  pagesPdf,
  picturePdf,
  receipt_lines,
  receiptPdf,
  receiptPhoto,
  receiptScan,
  scannedLastPdf,
  short_lines
} from "../../../support/files/PrintedReceipt.ts"
import { german, read, readerPool } from "./Readers.ts"

const supermarket = { amount: "25.26", expense_date: "2026-03-14", currency: "EUR", vendor: "SUPERMARKT MUELLER GMBH" }

const photo = (degrees = 3) => receiptPhoto(degrees, short_lines)

/**
 * Maximum CPU time of this process while its children compute for four seconds. How long the event loop is blocked is
 * measured by `scripts/bench/ocr-pool.ts`.
 */
const parent_cpu_ms_max = 2_000

/** CPU time, in hundredths of a second, after which a child is certainly processing an image. */
const busy_ticks = 20

const test_duration_max_ms = 300_000

const turned = (photo: Buffer, degrees: number, orientation?: number) =>
  Effect.promise(() => {
    const image = sharp(photo).rotate(degrees)
    return (orientation === undefined ? image : image.withMetadata({ orientation })).jpeg().toBuffer()
  })

layer(readerPool(), { excludeTestServices: true })("ReceiptReader.read", (it) => {
  const pictures = [
    ["a scan", receiptScan()],
    ["a photo, askew on a table", photo(4)],
    ["a photo that says how it is turned", Effect.flatMap(photo(), (photo) => turned(photo, 90, 8))],
    ["a photo that lies on its side", Effect.flatMap(photo(), (photo) => turned(photo, 90))],
    ["a photo upside down", Effect.flatMap(photo(), (photo) => turned(photo, 180))],
    ["a scan inside a PDF", Effect.map(photo(2), picturePdf)]
  ] as const
  for (const [name, picture] of pictures) {
    it.effect(
      `reads ${name}`,
      () =>
        Effect.gen(function* () {
          const { fields, source } = yield* Effect.flatMap(picture, (bytes) => read(bytes))
          assert.deepInclude(fields, supermarket)
          assert.strictEqual(source, "ocr")
        }),
      test_duration_max_ms
    )
  }

  it.effect("uses the text layer of a PDF", () =>
    Effect.gen(function* () {
      const { fields, source } = yield* read(receiptPdf())
      assert.deepInclude(fields, supermarket)
      assert.strictEqual(source, "text_layer")
    })
  )

  it.effect("recognizes the page of a PDF whose text is only a stamp", () =>
    Effect.gen(function* () {
      const few = yield* read(receiptPdf(["Seite 1"]))
      assert.strictEqual(few.source, "ocr")
      assert.strictEqual(few.status, "failed")
    })
  )

  for (const [name, xml] of [
    ["factur-x.xml", crossIndustryInvoice()],
    ["a file with a long licence", `<!-- ${"You may use this file. ".repeat(2_000)} -->${crossIndustryInvoice()}`],
    ["invoice.xml", ublInvoice()]
  ] as const) {
    it.effect(`prefers ${name} to the page that it is attached to`, () =>
      Effect.gen(function* () {
        const extraction = yield* read(attachmentPdf(name, xml))
        assert.deepInclude(extraction.fields, { amount: "118.40", expense_date: "2026-02-27", reference: "000123" })
        assert.strictEqual(extraction.source, "embedded")
        assert.strictEqual(extraction.status, "done")
      })
    )
  }

  it.effect("fails when an attachment with the name of an invoice is damaged, and does not read the page", () =>
    Effect.gen(function* () {
      const { error, source } = yield* read(attachmentPdf("factur-x.xml", `<Rechnung>${crossIndustryInvoice()}`))
      assert.deepStrictEqual([source, error?.code], ["embedded", "invalid_xml"])
    })
  )

  it.effect("finds the invoice among many attachments, and even if the page cannot be read", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 30 }, (_, at) => [`a${at}.txt`, "<a/>"] as const)
      const many = attachmentsPdf([...others, ["invoice.xml", ublInvoice()], ["z.txt", "<a/>"]])
      assert.strictEqual((yield* read(many)).fields.amount, "118.40")
      const hidden = yield* read(attachmentOfBombPdf("factur-x.xml", crossIndustryInvoice()))
      assert.deepStrictEqual([hidden.source, hidden.status, hidden.fields.amount], ["embedded", "done", "118.40"])
    })
  )

  it.effect("fails when an attached invoice is too large, and does not read the page", () =>
    Effect.gen(function* () {
      const large = `${crossIndustryInvoice()}<!-- ${"x".repeat(2_000_000)} -->`
      for (const name of ["factur-x.xml", "invoice.xml"]) {
        const { error, status } = yield* read(attachmentPdf(name, large))
        assert.deepStrictEqual([status, error?.code], ["failed", "einvoice_too_large"])
      }
    })
  )

  it.effect("takes the total of a long invoice from its last page, and needs review if pages were not read", () =>
    Effect.gen(function* () {
      const head = ["Muster Handel GmbH", "Hauptstrasse 12, 10115 Berlin", "Rechnung 4711", "Datum 14.03.2026", ""]
      const carried = (page: number) => [
        ...(page === 1 ? head : [`Seite ${page}`, `Uebertrag EUR ${(page - 1) * 100},00`, ""]),
        ...Array.from({ length: 4 }, (_, at) => `Artikel ${page}-${at}          25,00`),
        `Uebertrag EUR ${page * 100},00`
      ]
      const last = ["Letzte Seite", "Netto        400,00", "MwSt 19%      76,00", "Gesamtbetrag EUR 476,00"]
      const pages = (count: number) => [...Array.from({ length: count }, (_, at) => carried(at + 1)), last]
      const whole = yield* read(pagesPdf(pages(4)))
      assert.deepInclude(whole.fields, { amount: "476.00", tax_amount: "76.00", expense_date: "2026-03-14" })
      assert.deepInclude(whole.checks, { code: "all_pages_read", passed: true })
      const cut = yield* read(pagesPdf(pages(24)))
      assert.strictEqual(cut.status, "needs_review")
      assert.deepInclude(cut.checks, { code: "all_pages_read", passed: false })
    })
  )

  it.effect("reads the scanned page of a PDF whose first page has text", () =>
    Effect.gen(function* () {
      const cover = ["Muster Handel GmbH", "Beleg zur Reise nach Berlin, Projekt 4711", "", "Anlage: 1 Beleg"]
      const { fields, source } = yield* read(scannedLastPdf([cover], yield* receiptScan()))
      assert.deepInclude(fields, { amount: "25.26", expense_date: "2026-03-14" })
      assert.strictEqual(source, "ocr")
    })
  )

  it.effect("reads the text of a PDF although its last page has only a logo and a number", () =>
    Effect.gen(function* () {
      const { fields, source, status } = yield* read(logoLastPdf([receipt_lines], yield* receiptScan()))
      assert.deepInclude(fields, supermarket)
      assert.deepStrictEqual([source, status], ["text_layer", "done"])
    })
  )

  it.effect("needs review if a long PDF with text has a scanned page, but not if it has a page without content", () =>
    Effect.gen(function* () {
      const terms = Array.from({ length: 3 }, (_, page) => [
        `Geschaeftsbedingungen, Seite ${page + 1} von 3, Fassung A`
      ])
      const blank = yield* read(pagesPdf([receipt_lines, ...terms, []]))
      assert.deepInclude(blank.checks, { code: "all_pages_read", passed: true })
      assert.strictEqual(blank.status, "done")
      const mixed = yield* read(scannedLastPdf([receipt_lines, ...terms], yield* receiptScan()))
      assert.deepInclude(mixed.checks, { code: "all_pages_read", passed: false })
      assert.deepStrictEqual([mixed.source, mixed.status], ["text_layer", "needs_review"])
      assert.include(
        mixed.warnings,
        "Not everything in the document was read exactly, so its total may be on another page."
      )
    })
  )

  it.effect("reads the page when the attachment is not an invoice", () =>
    Effect.gen(function* () {
      const { fields, source } = yield* read(attachmentPdf("notes.xml", "<notes><note>EUR 1.00</note></notes>"))
      assert.strictEqual(source, "text_layer")
      assert.strictEqual(fields.amount, "25.26")
    })
  )

  const languages = [
    ["fr", "FR", ["TOTAL A PAYER EUR", "Carte bancaire"]],
    ["nl", "BE", ["TE BETALEN EUR", "Bancontact"]],
    ["es", "ES", ["TOTAL A PAGAR EUR", "Tarjeta"]],
    ["it", "IT", ["TOTALE COMPLESSIVO EUR", "Carta di credito"]],
    ["en", "IE", ["TOTAL DUE EUR", "Visa debit"]]
  ] as const
  for (const [language, country, [total, card]] of languages) {
    it.effect(`reads the language of the country (${language})`, () =>
      Effect.gen(function* () {
        const lines = ["CAFE CENTRAL SARL", "", "14/03/2026 17:42", "", "2 x Espresso    5,00", "1 x Menu       20,26"]
        const printed = [...lines, "", `${total}  25,26`, `${card}  25,26`]
        // One language is enough to show that the engines read the languages of the country.
        const bytes = language === "fr" ? yield* receiptScan(printed) : receiptPdf(printed)
        const { fields } = yield* read(bytes, { ...german, country, language })
        assert.deepInclude(fields, { amount: "25.26", expense_date: "2026-03-14", currency: "EUR" })
      })
    )
  }

  it.effect("explains why a file cannot be read", () =>
    Effect.gen(function* () {
      const extraction = yield* read(Buffer.from("%PDF-1.7\n"))
      assert.strictEqual(extraction.status, "failed")
      assert.deepStrictEqual(extraction.error, {
        code: "corrupt_file",
        message: "The file is damaged."
      })
      assert.deepStrictEqual(extraction.fields, {})
    })
  )

  it.effect(
    "gives the same answer for the same file, and leaves the work to its children",
    () =>
      Effect.gen(function* () {
        const bytes = yield* photo(1)
        const before = process.cpuUsage()
        const [first, second] = yield* Effect.all([read(bytes), read(bytes)], { concurrency: "unbounded" })
        const { system, user } = process.cpuUsage(before)
        assert.deepStrictEqual(first, second)
        assert.isBelow((user + system) / 1_000, parent_cpu_ms_max)
      }),
    test_duration_max_ms
  )

  it.effect(
    "reads a receipt even if the child that reads it is killed",
    () =>
      Effect.gen(function* () {
        const bytes = yield* photo(1)
        yield* read(receiptPdf())
        const idle = new Map(childrenOf(process.pid).map((pid) => [pid, cpuTicks(pid)]))
        const reading = yield* Effect.forkChild(read(bytes))
        const reader = yield* Effect.suspend(() =>
          Effect.fromNullishOr([...idle].find(([pid, ticks]) => cpuTicks(pid) > ticks + busy_ticks))
        ).pipe(Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 10_000 }))
        process.kill(reader[0], "SIGKILL")
        assert.deepInclude((yield* Fiber.join(reading)).fields, supermarket)
      }),
    test_duration_max_ms
  )
})

/** Ids of the processes that run the reader and were started by the process `parent`. */
const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isChild = new RegExp(`\\nPPid:\\t${parent}\\n`).test(readFileSync(`/proc/${pid}/status`, "utf8"))
        return isChild && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("ReceiptReaderChild")
      } catch {
        return false
      }
    })

/** CPU time used so far: fields 14 and 15 of proc(5), after the name in parentheses. */
const cpuTicks = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
  return Number(user) + Number(system)
}
