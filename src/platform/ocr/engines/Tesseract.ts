import { createWorker, OEM, PSM } from "tesseract.js"
import type { GrayImage } from "../image/GrayImage.ts"
import type { Line } from "./Reading.ts"

export const segmentation = {
  column: PSM.SINGLE_COLUMN,
  block: PSM.SINGLE_BLOCK,
  line: PSM.SINGLE_LINE,
  sparse: PSM.SPARSE_TEXT
}

export interface Tesseract {
  /** Loads languages by their tesseract names; they stay loaded until others are requested. */
  readonly use: (languages: ReadonlyArray<string>) => Promise<void>
  readonly recognize: (image: GrayImage, mode: PSM) => Promise<ReadonlyArray<Line>>
}

const first_language = "eng"
const assumed_dpi = "300"

/** `language_folder` holds `<language>.traineddata.gz`. Rejects if data is missing: the library would wait forever. */
export const startTesseract = async (language_folder: string): Promise<Tesseract> => {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => {})
  const starting = createWorker(first_language, OEM.LSTM_ONLY, {
    langPath: language_folder,
    gzip: true,
    cacheMethod: "none",
    // Without a handler, an unreadable image would crash the process, even though the promise is rejected.
    errorHandler: (problem: unknown) => reject(new Error(String(problem)))
  })
  const worker = await Promise.race([starting, broken])
  let loaded = first_language
  return {
    use: async (languages) => {
      const wanted = languages.join("+")
      if (wanted !== loaded) await worker.reinitialize(wanted, OEM.LSTM_ONLY)
      loaded = wanted
    },
    recognize: async (image, mode) => {
      await worker.setParameters({ tessedit_pageseg_mode: mode, user_defined_dpi: assumed_dpi })
      const { data } = await worker.recognize(portableGrayMap(image), {}, { text: false, blocks: true })
      return (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap(({ lines }) => lines.map(toLine)))
    }
  }
}

interface RecognizedLine {
  readonly words: ReadonlyArray<{
    readonly text: string
    readonly confidence: number
    readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }
  }>
}

const toLine = ({ words }: RecognizedLine): Line => ({
  words: words.map(({ bbox: { x0, x1, y0, y1 }, confidence, text }) => {
    return { text, x0, y0, x1, y1, confidence: confidence / 100 }
  })
})

/** Converts an image to the simplest image format, which is not compressed. */
const portableGrayMap = ({ height, pixels, width }: GrayImage): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels])
