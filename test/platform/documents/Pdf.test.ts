import { assert, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Pdf } from "../../../src/platform/documents/pdf/Pdf.ts"
import { PdfTooComplex, PdfUnavailable } from "../../../src/platform/documents/pdf/PdfErrors.ts"
import { PdfFailuresRepo } from "../../../src/platform/documents/pdf/PdfFailuresRepo.ts"
import { PdfTest, renderPdf } from "../../support/files/PdfTest.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { killChildren } from "../children/Children.ts"
import { testDatabase } from "../../support/database/Postgres.ts"

const template = (name: string) => new URL(`./templates/${name}.typ`, import.meta.url)
const render = (name: string, data: unknown) => renderPdf(template(name), data)
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

const scripts = ["Café Zürich", "Ελληνικά", "Кириллица", "النور", "שלום", "東京", "这车", "한국", "🧾"]

layer(PdfTest, { excludeTestServices: true })("Pdf.render", (it) => {
  it.effect("gives back text of every script", () =>
    Effect.gen(function* () {
      const text = yield* Effect.flatMap(render("texts", scripts), pdfText)
      for (const script of scripts) assert.include(text.normalize("NFC"), script)
      assert.notInclude(text, "\uFFFD")
    })
  )

  it.effect("draws Thai, Devanagari and sequences of emoji", () =>
    Effect.gen(function* () {
      const text = yield* Effect.flatMap(render("texts", ["ไทย", "नमस्ते", "❤️", "👨‍👩‍👧"]), pdfText)
      assert.notInclude(text, "\uFFFD")
    })
  )

  it.effect("shows a replacement for characters that no font has and drops control characters", () =>
    Effect.gen(function* () {
      const text = yield* Effect.flatMap(
        render("texts", ["a\u{13000}b", "c\u0000\u0007d", "e\uE000f", "g\uD800h"]),
        pdfText
      )
      for (const shown of ["a\uFFFDb", "cd", "e\uFFFDf", "g\uFFFDh"]) assert.include(text, shown)
    })
  )

  it.effect("renders any text", () =>
    Effect.gen(function* () {
      const texts = fc.sample(fc.string({ unit: "binary", maxLength: 40 }), { numRuns: 1_000, seed: 1 })
      const marks = fc.sample(
        fc.string({ unit: fc.integer({ min: 0x300, max: 0xe7f }).map((code) => String.fromCodePoint(code)) }),
        500
      )
      const pdf = yield* render("texts", [...texts, ...marks, "\u05b0", "\n\u0301", "ab\u0e31"])
      assert.isAbove(pdf.length, 100_000)
    })
  )

  it.effect("prints markup as text", () =>
    Effect.gen(function* () {
      const hostile = ['#import "/package.json": *', "$x^2$", "\\u{41} \\", "@ref <label>", "#panic()", "*_`//`_*", "]"]
      const text = yield* Effect.flatMap(render("texts", hostile), pdfText)
      for (const value of hostile) assert.include(text, value)
    })
  )

  it.effect("gives the same bytes for the same data in another process", () =>
    Effect.gen(function* () {
      const here = yield* render("texts", scripts)
      const script = fileURLToPath(new URL("../../support/files/pdfDigest.ts", import.meta.url))
      const run = promisify(execFile)(process.execPath, [script, template("texts").href, JSON.stringify(scripts)])
      const { stdout } = yield* Effect.promise(() => run)
      assert.strictEqual(stdout, digest(here))
    })
  )

  it.effect("dies with the compiler's message when the template is wrong, and still works", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(render("broken", null))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      if (Exit.isFailure(exit)) assert.include(Cause.pretty(exit.cause), "unknown variable")
      assert.include(yield* Effect.flatMap(render("texts", ["next"]), pdfText), "next")
    })
  )
})

layer(PdfTest, { excludeTestServices: true })("Pdf.render beside other work", (it) => {
  it.effect("leaves the event loop free", () =>
    Effect.gen(function* () {
      let ticks = 0
      const ticking = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.sleep("5 millis"),
            Effect.sync(() => ticks++)
          )
        )
      )
      yield* render("slow", "free")
      yield* Fiber.interrupt(ticking)
      assert.isAbove(ticks, 10)
    })
  )

  it.effect("gives the answer to an interrupted request to no other one", () =>
    Effect.gen(function* () {
      const abandoned = yield* Effect.forkChild(render("slow", "abandoned"), { startImmediately: true })
      yield* Fiber.interrupt(abandoned)
      assert.include(yield* Effect.flatMap(render("texts", ["kept"]), pdfText), "kept")
    })
  )
})

const seconds = 1_000
const long_text = "x".repeat(40_000)
const failureOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : "a file")

const hasty = Pdf.layerOf({ processes: 2, document_duration_max: "1500 millis", memory_bytes_max: 400_000_000 })
const overDatabase = Layer.provideMerge(PdfFailuresRepo.layer, testDatabase)

layer(Layer.provideMerge(hasty, overDatabase), {
  excludeTestServices: true,
  timeout: 60 * seconds
})("Pdf.render beyond its limits", (it) => {
  for (const name of ["endless", "huge"]) {
    it.effect(`answers 503 once for a document that is ${name}, then 422 without another attempt`, () =>
      Effect.gen(function* () {
        const document = Effect.flip(render(name, "dead"))
        assert.instanceOf(yield* document, PdfUnavailable)
        assert.instanceOf(yield* document, PdfTooComplex)
        const started = performance.now()
        assert.instanceOf(yield* document, PdfTooComplex)
        assert.isBelow(performance.now() - started, 1 * seconds)
        assert.instanceOf(yield* Effect.flip(render(name, "another content")), PdfUnavailable)
        assert.include(yield* Effect.flatMap(render("texts", ["next"]), pdfText), "next")
      })
    )
  }

  it.effect(
    "answers 422 in another process, too, for the organization whose document failed twice, for 15 minutes",
    () =>
      Effect.gen(function* () {
        const document = Effect.flip(render("endless", "of two processes"))
        assert.instanceOf(yield* document, PdfUnavailable)
        const another = yield* Layer.build(Layer.fresh(hasty))
        const inAnother = Effect.provide(document, Context.pick(Pdf)(another))
        assert.instanceOf(yield* inAnother, PdfTooComplex)
        assert.instanceOf(yield* document, PdfTooComplex)
        const { purge } = yield* PdfFailuresRepo
        assert.strictEqual(yield* purge, 0)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update pdf_failures set failed_at = failed_at - interval '15 minutes'`
        assert.instanceOf(yield* inAnother, PdfUnavailable)
        assert.instanceOf(yield* Effect.flip(renderPdf(template("endless"), "of two processes", 2)), PdfUnavailable)
        assert.isAbove(yield* purge, 0)
      }).pipe(Effect.scoped)
  )

  it.effect(
    "makes short documents while long ones take their time, and kills long ones when no caller waits for them",
    () =>
      Effect.gen(function* () {
        const long = ["a", "b", "c"].map((name) => render("endless", `${name}${long_text}`))
        const fibers = yield* Effect.forEach(long, (document) => Effect.forkChild(document, { startImmediately: true }))
        for (const organization of [1, 2]) {
          yield* renderPdf(template("texts"), [`short of ${organization}`], organization)
          assert.isUndefined(fibers[2]?.pollUnsafe())
        }
        yield* Fiber.interruptAll(fibers)
        yield* render("texts", ["after"])
      })
  )
})

layer(Layer.provide(Pdf.layerOf({ processes: 1 }), overDatabase), { excludeTestServices: true })(
  "Pdf.render of many documents",
  (it) => {
    it.effect("answers 503 when too many of an organization are waiting, and makes those of others", () =>
      Effect.gen(function* () {
        const requests = Array.from({ length: 40 }, (_, index) => Effect.exit(render("texts", [`${index}`])))
        const others = Effect.exit(renderPdf(template("texts"), ["of another"], 2))
        const [exits, other] = yield* Effect.all([Effect.all(requests, { concurrency: "unbounded" }), others], {
          concurrency: "unbounded"
        })
        const refused = exits.filter(Exit.isFailure)
        assert.lengthOf(refused, 7)
        for (const exit of refused) assert.instanceOf(failureOf(exit), PdfUnavailable)
        assert.isTrue(Exit.isSuccess(other))
      })
    )

    it.effect("answers 503 whenever the system kills the process, which does not count against the document", () =>
      Effect.gen(function* () {
        for (const _ of [1, 2, 3]) {
          yield* render("texts", ["a process has started"])
          const document = yield* Effect.forkChild(Effect.flip(render("endless", "killed")))
          yield* Effect.sleep("500 millis")
          assert.strictEqual(yield* killChildren("PdfChild"), 1)
          assert.instanceOf(yield* Fiber.join(document), PdfUnavailable)
        }
      })
    )
  }
)
