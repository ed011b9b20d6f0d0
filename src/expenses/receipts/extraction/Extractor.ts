import type { Reading, Reread } from "../../../platform/ocr/engines/Reading.ts"
import type { Extraction } from "../records/Extraction.ts"
import { chooseFields, type ChosenFields, embeddedExtraction } from "./ChosenFields.ts"
import type { Hints } from "./Hints.ts"
import { evidenceOf } from "./FieldChoice.ts"
import { recheckFields } from "./Recheck.ts"
import { embeddedTrace, traceOf } from "./Trace.ts"

/**
 * Extracts the fields of an expense from the words of a receipt. Pure except for `reread`, which is called at most
 * once per field, and only if its answer can change the result.
 */
export const extract = (reading: Reading, hints: Hints, reread?: Reread): Promise<Extraction> => {
  if (reading.embedded_xml !== undefined) {
    const extraction = embeddedExtraction(reading.embedded_xml, hints)
    return Promise.resolve({ ...extraction, trace: embeddedTrace(reading, extraction.fields.vendor) })
  }
  const evidence = evidenceOf(reading, hints)
  const traced = (chosen: ChosenFields): Extraction => ({
    ...chosen.extraction,
    trace: traceOf(reading, evidence.scan, chosen, hints)
  })
  const first = chooseFields(evidence, hints)
  if (reread === undefined || reading.source !== "ocr") return Promise.resolve(traced(first))
  return recheckFields(evidence, first, reread).then((rechecks) => traced(chooseFields(evidence, hints, rechecks)))
}
