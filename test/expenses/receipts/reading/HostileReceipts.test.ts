import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ReceiptReader } from "../../../../src/expenses/receipts/reading/ReceiptReader.ts"
import { sampled } from "../../../support/service/Runs.ts"
import { hostileFiles, type HostileFile } from "./HostileFiles.ts"
import { receiptPdf, receiptPhoto } from "../../../support/files/PrintedReceipt.ts"
import { german, readerPool, temporaryFolder } from "./Readers.ts"

const files_min = 50
const parent_growth_bytes_max = 64_000_000

const outcomeOf = Effect.fnUntraced(
  function* (path: string) {
    const reader = yield* ReceiptReader
    const extraction = yield* reader.read({ path, media_type: "image/jpeg", hints: german })
    if (extraction.status !== "failed") return "read"
    const { code = "", message = "" } = extraction.error ?? {}
    assert.isAbove(message.length, 10)
    if (code === "password_protected" || code === "too_many_pixels") assert.include(message, "upload")
    return code
  },
  Effect.catchTag("ReaderStopped", () => Effect.succeed("timed_out"))
)

/**
 * Repeats a reading that timed out. On a busy machine, the start of the reader may take longer than the time limit for
 * files that would take forever.
 */
const readable = (path: string) =>
  Effect.repeat(outcomeOf(path), { until: (outcome) => outcome !== "timed_out", times: tries_max - 1 })
const tries_max = 20

const write = (folder: string, files: ReadonlyArray<HostileFile>) =>
  Effect.forEach(files, (file, index) =>
    Effect.promise(async () => {
      const path = join(folder, String(index))
      await writeFile(path, await file.bytes())
      return { ...file, path }
    })
  )

const isBomb = ({ outcomes }: HostileFile) => outcomes.includes("timed_out")

/** The receipt is short, because many of the hostile files contain it, and the reader reads it in each of them. */
const photo = receiptPhoto(2, ["SUPERMARKT MUELLER GMBH", "Datum 14.03.2026  17:42", "", "SUMME EUR            25,26"])

/** Time limit of the test. Half a minute suffices on an idle machine; a busy machine needs longer. */
const test_duration_max_ms = 900_000

describe("50 hostile files", () => {
  it.live(
    "each get a clear result, and a good receipt is read after them",
    () =>
      Effect.gen(function* () {
        const receipt = yield* photo
        const folder = yield* temporaryFolder
        const all = hostileFiles(receipt)
        assert.isAtLeast(all.length, files_min)
        const files = yield* write(folder, sampled(all))
        const good = join(folder, "good")
        yield* Effect.promise(() => writeFile(good, receiptPdf()))
        const before = process.memoryUsage.rss()

        const readAll = (chosen: typeof files) =>
          Effect.forEach(
            chosen,
            ({ name, outcomes, path }) =>
              Effect.map(outcomeOf(path), (outcome) => assert.include(outcomes, outcome, name)),
            { concurrency: 2 }
          ).pipe(Effect.andThen(Effect.map(readable(good), (outcome) => assert.strictEqual(outcome, "read"))))

        yield* readAll(files.filter((file) => !isBomb(file))).pipe(Effect.provide(readerPool()))
        // Files that would take forever (bombs) get a shorter time limit.
        yield* readAll(files.filter(isBomb)).pipe(Effect.provide(readerPool({ job_duration_max: "1 second" })))
        assert.isBelow(process.memoryUsage.rss() - before, parent_growth_bytes_max)
      }),
    test_duration_max_ms
  )
})
