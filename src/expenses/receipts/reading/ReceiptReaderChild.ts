import { Schema } from "effect"
import { serveJobs } from "../../../platform/children/ChildEntry.ts"
import { openDocumentReader, readText, readWithoutEngine } from "../../../platform/ocr/DocumentReader.ts"
import { tesseractNames } from "../../../platform/ocr/engines/LanguageData.ts"
import { full_effort, small_effort } from "../../../platform/ocr/PageImage.ts"
import { pagePicture } from "../../../platform/ocr/PagePicture.ts"
import { Unreadable } from "../../../platform/ocr/image/Unreadable.ts"
import { type Extraction, failed } from "../records/Extraction.ts"
import { extract } from "../extraction/Extractor.ts"
import { PictureJob, ReaderJob } from "./ReaderJob.ts"
import { receiptLanguages } from "./ReceiptLanguages.ts"

const decodeJob = Schema.decodeUnknownSync(Schema.Union([ReaderJob, PictureJob]))

type Read = typeof readWithoutEngine

/** Returns null if only an OCR engine can read the receipt, and this process has none or should use none. */
const readReceipt = (read: Read, { effort, hints, path }: ReaderJob): Promise<Extraction | null> =>
  (effort === "text" ? readText : read)({
    path,
    languages: tesseractNames(receiptLanguages(hints.country, hints.language)),
    effort: effort === "small" ? small_effort : full_effort
  }).then(
    (document) => (document === undefined ? null : extract(document.reading, hints, document.again)),
    (cause: unknown) => {
      if (cause instanceof Unreadable) return failed("ocr", cause.code, cause.message)
      throw cause
    }
  )

/**
 * This file is the entry point of a child process. Its argument is the folder of the language data; without an argument,
 * the process starts no OCR engine.
 */
serveJobs(async () => {
  const [folder] = process.argv.slice(2)
  const read: Read = folder === undefined ? readWithoutEngine : await openDocumentReader(folder)
  return (given) => {
    const job = decodeJob(given)
    return "hints" in job ? readReceipt(read, job) : pagePicture(job)
  }
})
