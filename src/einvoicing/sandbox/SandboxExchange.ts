import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import type { NetworkDefinition } from "../providers/Network.ts"
import type { Acceptance, Exchange, NetworkRefused, Transmission } from "../providers/Provider.ts"

const body = (value: Parameters<typeof canonicalJson>[0]) => ({
  content_type: "application/json",
  bytes: new TextEncoder().encode(canonicalJson(value))
})

/**
 * The simulated network runs in this process, so the archive gets the call of a function as the request and its result
 * as the answer, both written as JSON. The request contains only the digest of the document, because the archive keeps
 * the document as an object of its own.
 */
export const sandboxExchange = (
  { code: network }: NetworkDefinition,
  { document_type, number, recipient, sender, sha256, transmission_id }: Transmission,
  answer: Omit<Acceptance, "exchange"> | NetworkRefused
): Exchange => {
  const { scheme, value } = recipient
  return {
    request: body({
      environment: "sandbox",
      network,
      transmission_id,
      document_type,
      number,
      sender: { scheme: sender.scheme, value: sender.value },
      recipient: { scheme, value },
      document_sha256: sha256
    }),
    response: body(
      "reference" in answer
        ? { environment: "sandbox", accepted: true, reference: answer.reference, at: answer.at }
        : { environment: "sandbox", accepted: false, code: answer.code, message: answer.message }
    )
  }
}
