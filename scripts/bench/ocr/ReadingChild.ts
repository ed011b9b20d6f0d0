import { Schema } from "effect"
import { Hints } from "../../../src/expenses/receipts/extraction/Hints.ts"
import { extract } from "../../../src/expenses/receipts/extraction/Extractor.ts"
import { receiptLanguages } from "../../../src/expenses/receipts/reading/ReceiptLanguages.ts"
import { serveJobs } from "../../../src/platform/children/ChildEntry.ts"
import { openDocumentReader, type DocumentReader } from "../../../src/platform/ocr/DocumentReader.ts"
import { tesseractNames } from "../../../src/platform/ocr/engines/LanguageData.ts"
import { full_effort } from "../../../src/platform/ocr/PageImage.ts"
import type { Heads, Reading, Reread } from "../../../src/platform/ocr/engines/Reading.ts"

export const ReadingTask = Schema.Struct({
  path: Schema.String,
  hints: Hints
})
export type ReadingTask = typeof ReadingTask.Type

/** A part of a page that the extraction asked to read again, and the texts that were read there. */
interface Crop {
  readonly page: number
  readonly box: Parameters<Reread>[1]
  readonly texts: ReadonlyArray<string>
}

export interface Words {
  readonly reading: Reading
  readonly crops: ReadonlyArray<Crop>
  /** Present if the extraction asked to read the head of the receipt again. */
  readonly heads?: Heads
  /** Processor time that reading took, on all threads. */
  readonly cpu_seconds: number
}

const decodeTask = Schema.decodeUnknownSync(ReadingTask)

/** Reads a receipt like the child process of the service, but returns its words instead of the extracted fields. */
const readWords = async (read: DocumentReader, { hints, path }: ReadingTask): Promise<Words> => {
  const begun = process.cpuUsage()
  const { again, reading } = await read({
    path,
    languages: tesseractNames(receiptLanguages(hints.country, hints.language)),
    effort: full_effort
  })
  const crops: Array<Crop> = []
  let heads: Heads | undefined
  if (again !== undefined) {
    const { readHead, reread } = again
    await extract(reading, hints, {
      reread: async (page, box) => {
        const texts = await reread(page, box)
        crops.push({ page, box, texts })
        return texts
      },
      readHead: async () => (heads = (await readHead?.()) ?? [])
    })
  }
  const { system, user } = process.cpuUsage(begun)
  return { reading, crops, ...(heads === undefined ? {} : { heads }), cpu_seconds: (system + user) / 1e6 }
}

serveJobs(async () => {
  const read = await openDocumentReader(process.argv[2] ?? "")
  return (task) => readWords(read, decodeTask(task))
})
