import { Option } from "effect"
import type { Reading, Reread } from "../../../platform/ocr/Reading.ts"
import type { Extraction } from "../Extraction.ts"
import { conclude, concludeEmbedded } from "./Conclusion.ts"
import { embeddedInvoice } from "./EmbeddedInvoice.ts"
import type { Hints } from "./Hints.ts"
import { evidenceOf } from "./Judgement.ts"
import { readAgain } from "./Rereading.ts"

/**
 * Extracts the fields of an expense from the words of a receipt. Pure except for `reread`, which is called at most
 * once per field, and only if its answer can change the result.
 */
export const extract = (reading: Reading, hints: Hints, reread?: Reread): Promise<Extraction> => {
  const embedded = Option.flatMap(Option.fromUndefinedOr(reading.embedded_xml), embeddedInvoice)
  if (Option.isSome(embedded)) return Promise.resolve(concludeEmbedded(embedded.value, hints))
  const evidence = evidenceOf(reading, hints)
  const first = conclude(evidence, hints)
  if (reread === undefined || reading.source !== "ocr") return Promise.resolve(first.extraction)
  return readAgain(evidence, first, reread).then((again) => conclude(evidence, hints, again).extraction)
}
