import { Schema } from "effect"
import { serveJobs } from "../../../platform/children/ChildEntry.ts"
import { openDocumentReader, type DocumentReader } from "../../../platform/ocr/DocumentReader.ts"
import { tesseractNames } from "../../../platform/ocr/engines/LanguageData.ts"
import { full_effort, small_effort } from "../../../platform/ocr/PageImage.ts"
import { pagePicture } from "../../../platform/ocr/PagePicture.ts"
import { Unreadable } from "../../../platform/ocr/image/Unreadable.ts"
import { type Extraction, failed } from "../records/Extraction.ts"
import { extract } from "../extraction/Extractor.ts"
import { PictureJob, ReaderJob } from "./ReaderJob.ts"
import { receiptLanguages } from "./ReceiptLanguages.ts"

const decodeJob = Schema.decodeUnknownSync(Schema.Union([ReaderJob, PictureJob]))

const readReceipt = (read: DocumentReader, { effort, hints, path }: ReaderJob): Promise<Extraction> =>
  read({
    path,
    languages: tesseractNames(receiptLanguages(hints.country, hints.language)),
    effort: effort === "full" ? full_effort : small_effort
  }).then(
    ({ again, reading }) => extract(reading, hints, again),
    (cause: unknown) => {
      if (cause instanceof Unreadable) return failed("ocr", cause.code, cause.message)
      throw cause
    }
  )

/** This file is the entry point of a child process; its argument is the folder of the language data. */
serveJobs(() =>
  openDocumentReader(process.argv[2] ?? "").then((read) => (given: unknown) => {
    const job = decodeJob(given)
    return "hints" in job ? readReceipt(read, job) : pagePicture(job)
  })
)
