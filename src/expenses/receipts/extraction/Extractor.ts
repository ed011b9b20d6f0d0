import type { Again, Heads, Reading } from "../../../platform/ocr/engines/Reading.ts"
import type { Extraction } from "../records/Extraction.ts"
import { exceedsWords, headRowsOf } from "../scan/Rows.ts"
import { chooseFields, type ChosenFields, embeddedExtraction } from "./ChosenFields.ts"
import type { Hints } from "./Hints.ts"
import { type Evidence, evidenceOf } from "./FieldChoice.ts"
import { recheckFields } from "./Recheck.ts"
import { embeddedTrace, traceOf } from "./Trace.ts"
import { showsTwoReceipts } from "./TwoReceipts.ts"

/** `again` reads a part of the page a second time, once per field, and only if that can change the result. */
export const extract = async (reading: Reading, hints: Hints, again?: Again): Promise<Extraction> => {
  if (reading.embedded_xml !== undefined) {
    const extraction = embeddedExtraction(reading.embedded_xml, hints)
    return { ...extraction, trace: embeddedTrace(reading, extraction.fields.vendor) }
  }
  const areTwo = showsTwoReceipts(reading, hints)
  const words = {
    ...evidenceOf(reading, hints),
    ...(areTwo === undefined ? {} : { isOneReceipt: !areTwo }),
    isWhole: (reading.pages_unread ?? 0) === 0 && !exceedsWords(reading)
  }
  const first = chooseFields(words, hints)
  if (again === undefined || reading.source !== "ocr")
    return { ...first.extraction, trace: traceOf(reading, words.scan, first, hints) }
  const heads = isDoubtful(first.vendor) ? await again.readHead?.() : undefined
  const evidence = heads === undefined ? words : withHeads(words, heads, reading)
  const rechecks = await recheckFields(evidence, chooseFields(evidence, hints), again.reread)
  const last = chooseFields(evidence, hints, rechecks)
  return { ...last.extraction, trace: traceOf(reading, evidence.scan, last, hints) }
}

/** The top of the page is read again unless the vendor's name and its row have at least these confidences. */
const sure_vendor = 0.8
const sure_row = 0.95

const isDoubtful = (vendor: ChosenFields["vendor"]): boolean =>
  vendor === undefined || vendor.confidence < sure_vendor || vendor.best.row.confidence < sure_row

export const withHeads = (evidence: Evidence, heads: Heads, reading: Reading): Evidence => ({
  ...evidence,
  scan: { ...evidence.scan, heads: headRowsOf(heads, reading) }
})
