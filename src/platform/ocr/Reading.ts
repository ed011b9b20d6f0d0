/** A word as it stands on the page; the box is in the page's own units, y downwards. */
export interface Word {
  readonly text: string
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  /** 0..1 */
  readonly confidence: number
}

export interface Line {
  readonly words: ReadonlyArray<Word>
}

/** One way of looking at the page: two differently prepared images misread different words. */
export interface Pass {
  readonly name: "flattened" | "threshold" | "text_layer"
  readonly lines: ReadonlyArray<Line>
}

export interface Page {
  readonly width: number
  readonly height: number
  readonly passes: ReadonlyArray<Pass>
}

export interface Reading {
  readonly source: "embedded" | "text_layer" | "ocr"
  readonly pages: ReadonlyArray<Page>
  /** XML attached to the PDF. */
  readonly embedded_xml?: string
}

export interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** What two crops of a field say. The page is counted from 0, the box is one of its words' or around them. */
export type Reread = (page: number, box: Box) => Promise<ReadonlyArray<string>>
