/** A rectangle in the page's own units, measured from its upper left corner. */
export interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

export interface Word extends Box {
  readonly text: string
  /** Between 0 and 1. */
  readonly confidence: number
}

export interface Line {
  readonly words: ReadonlyArray<Word>
}

/**
 * A reading of a page. Tesseract reads two differently prepared images, because it misreads different words in each.
 */
export interface Pass {
  readonly name: "neural" | "flattened" | "threshold" | "text_layer"
  readonly lines: ReadonlyArray<Line>
}

export interface ScannedPage {
  readonly width: number
  readonly height: number
  readonly passes: ReadonlyArray<Pass>
  /** Number of clockwise quarter turns before the page was read; absent if the page was upright. */
  readonly quarters?: number
}

export interface Reading {
  readonly source: "embedded" | "text_layer" | "ocr"
  readonly pages: ReadonlyArray<ScannedPage>
  /** Number of the document's pages that were not read, because of a limit, a damage or a missing text; absent if it is 0. */
  readonly pages_unread?: number
  /** An electronic invoice: the file itself, or one attached to the PDF. If present, the pages are ignored. */
  readonly embedded_xml?: string
}

/** Several readings of the top of the first page, at other sizes and contrasts. */
export type Heads = ReadonlyArray<ReadonlyArray<Line>>

/** Parts of a document that can be recognized again if the words are doubtful. */
export interface Again {
  readonly reread: Reread
  /** Absent without PaddleOCR. */
  readonly readHead?: () => Promise<Heads>
}

/** Reads two crops of the box again; pages are counted from 0. */
export type Reread = (page: number, box: Box) => Promise<ReadonlyArray<string>>
