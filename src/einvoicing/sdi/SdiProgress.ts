import { Option } from "effect"
import type { NetworkMessage, Progress } from "../providers/Provider.ts"
import { readNotice } from "./SdiNotice.ts"
import type { SdiMessage } from "./SdiRepo.ts"

interface Meaning {
  readonly code: string
  readonly source: NetworkMessage["source"]
  readonly progress: Progress | null
}

const provider = (code: string, progress: Progress | null): Meaning => ({ code, source: "network", progress })
const authority = (code: string, progress: Progress | null): Meaning => ({ code, source: "authority", progress })

/** A document counts as sent once the SdI accepts it. MC, AT: not delivered, so the buyer has to fetch it. */
const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    accettazione: provider("ACCETTAZIONE", "submitted"),
    "avvenuta-consegna": provider("CONSEGNA", "submitted"),
    "preavviso-errore-consegna": provider("PREAVVISO", null),
    "non-accettazione": provider("NON-ACCETTAZIONE", "failed"),
    "errore-consegna": provider("ERRORE-CONSEGNA", "failed"),
    "rilevazione-virus": provider("VIRUS", "failed"),
    RC: authority("RC", "delivered"),
    MC: authority("MC", "sent"),
    AT: authority("AT", "sent"),
    DT: authority("DT", "delivered"),
    NS: authority("NS", "failed"),
    EC01: { code: "EC01", source: "recipient", progress: "accepted" },
    EC02: { code: "EC02", source: "recipient", progress: "rejected" }
  })
)

/** Errors that say that the SdI already has a file of this name, or this document. */
const duplicate_errors = new Set(["00002", "00404"])

/** Returns the message of a receipt. `attempts` is the number of times that the file may have been sent. */
export const messageOf = (receipt: SdiMessage, attempts: number): NetworkMessage => {
  const { at, code, content, content_type, reason, reference, sdi_id } = receipt
  const meaning = meanings.get(code) ?? provider(code.toUpperCase(), null)
  const isRepetition = attempts > 1 && isDuplicate(receipt)
  const type = meaning.source === "network" ? "pec_receipt" : "sdi_receipt"
  return {
    id: reference,
    at,
    code: meaning.code,
    source: meaning.source,
    // The SdI refused only a repeated file, so the document keeps its status. The first file gets its own receipt.
    progress: isRepetition ? null : meaning.progress,
    reason,
    receipt: content === null ? null : { type, content_type, bytes: content },
    ...(sdi_id === null || isRepetition ? {} : { reference: sdi_id })
  }
}

const isDuplicate = ({ code, content }: SdiMessage): boolean =>
  code === "NS" &&
  content !== null &&
  Option.exists(
    readNotice(content),
    ({ errors }) => errors.length > 0 && errors.every((one) => duplicate_errors.has(one))
  )
