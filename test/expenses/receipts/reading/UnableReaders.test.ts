import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { ReceiptReader } from "../../../../src/expenses/receipts/reading/ReceiptReader.ts"
import { attachmentPdf } from "../../../support/files/HostilePdfs.ts"
import {
  picturePdf,
  receipt_lines,
  receiptPdf,
  receiptPhoto,
  receiptScan,
  scannedLastPdf,
  short_lines
} from "../../../support/files/PrintedReceipt.ts"
import { crossIndustryInvoice, ublInvoice } from "../extraction/embedded/EmbeddedInvoices.ts"
import { german, read, readerPool, readText, written } from "./Readers.ts"

const test_duration_max_ms = 300_000

describe("ReceiptReader", () => {
  const killed = readerPool({ entry: new URL("./KilledChild.ts", import.meta.url), size: 1 })
  layer(killed, { excludeTestServices: true })("whose processes the system ends", (it) => {
    it.effect("is stopped, and does not say that the receipt is to blame", () =>
      Effect.gen(function* () {
        const stopped = yield* Effect.flip(read(receiptPdf()))
        assert.strictEqual(stopped._tag, "ReaderStopped")
        assert.isTrue(Option.isNone(yield* readText(receiptPdf())))
      })
    )
  })

  const hanging = readerPool({ entry: new URL("./HangingChild.ts", import.meta.url), size: 1 })
  layer(hanging, { excludeTestServices: true })("of which one hangs", (it) => {
    it.effect("reads other files that need no OCR engine", () =>
      Effect.gen(function* () {
        const reader = yield* ReceiptReader
        const empty = { path: yield* written(Buffer.alloc(0)), media_type: "application/pdf", hints: german }
        const hung = yield* Effect.forkChild(reader.readText(empty), { startImmediately: true })
        const text = yield* readText(receiptPdf()).pipe(Effect.timeout("1 minute"))
        assert.strictEqual(Option.getOrThrow(text).error?.code, "unreadable")
        yield* Fiber.interrupt(hung)
      })
    )
  })

  const unable = readerPool({ arguments: ["/nowhere"] })
  layer(unable, { excludeTestServices: true })("without its language data", (it) => {
    it.effect(
      "reads a file that needs no engine, and leaves one with a picture to an engine",
      () =>
        Effect.gen(function* () {
          const text = yield* readText(receiptPdf())
          assert.strictEqual(Option.getOrThrow(text).source, "text_layer")
          assert.isTrue(Option.isSome(yield* readText(Buffer.from(ublInvoice()))))
          const mixed = yield* readText(scannedLastPdf([receipt_lines], yield* receiptScan()))
          const scan = yield* readText(picturePdf(yield* receiptPhoto(2, short_lines)))
          assert.isTrue(Option.isNone(mixed) && Option.isNone(scan))
        }),
      test_duration_max_ms
    )

    it.effect("is unavailable, reports this at once, and stops trying", () =>
      Effect.gen(function* () {
        const reader = yield* ReceiptReader
        for (const _ of receipt_lines.slice(0, 3)) {
          assert.isTrue(yield* reader.available)
          const refused = yield* Effect.flip(read(receiptPdf()))
          assert(refused._tag === "ReaderUnavailable")
          assert.notInclude(refused.reason, "not ready in time")
        }
        assert.isFalse(yield* reader.available)
      })
    )

    it.effect(
      "reads electronic invoices and PDF files with text, but no pictures",
      () =>
        Effect.gen(function* () {
          const xml = Buffer.from(ublInvoice())
          assert.strictEqual((yield* read(xml, german, "application/xml")).source, "embedded")
          const pdf = attachmentPdf("factur-x.xml", crossIndustryInvoice())
          assert.strictEqual((yield* read(pdf, german, "application/pdf")).source, "embedded")
          assert.strictEqual((yield* read(receiptPdf(), german, "application/pdf")).source, "text_layer")
          const mixed = yield* read(scannedLastPdf([receipt_lines], yield* receiptScan()), german, "application/pdf")
          assert.deepStrictEqual([mixed.source, mixed.status], ["text_layer", "needs_review"])
          const scan = yield* Effect.flip(
            read(picturePdf(yield* receiptPhoto(2, short_lines)), german, "application/pdf")
          )
          assert.strictEqual(scan._tag, "ReaderUnavailable")
        }),
      test_duration_max_ms
    )
  })
})
