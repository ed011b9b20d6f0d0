import { Clock, Effect } from "effect"
import type { Admission, AdmissionRequest, Gate } from "../Security.ts"

/** Beyond this number, the caller that was refused longest ago is forgotten, so its next request is checked again. */
const remembered_max = 10_000

/** The form of every valid token. Any other text may be 16 KiB long, and would be remembered for nothing. */
const well_formed = /^(oat|pat|org)_[\w-]{43}$/

/** Returns the key of a caller: its token, or else its address, for which the gate counts unknown tokens, too. */
const keyOf = ({ address, token }: AdmissionRequest) =>
  token !== undefined && well_formed.test(token) ? `token ${token}` : `address ${address}`

/**
 * Remembers a refused caller until its rate-limit window ends, so that its further requests write nothing to the
 * database. A request with a token that was not refused yet is always counted, because the token may be valid.
 */
export const cachingRefusals = (gate: Gate["Service"], limit: number): Gate["Service"] => {
  const refused = new Map<string, { readonly admission: Admission; readonly until_ms: number }>()

  const remember = (key: string, admission: Admission, now_ms: number) => {
    refused.delete(key)
    refused.set(key, { admission, until_ms: now_ms + admission.reset_seconds * 1000 })
    const [oldest] = refused.keys()
    if (refused.size > remembered_max && oldest !== undefined) refused.delete(oldest)
  }

  const recall = (key: string, now_ms: number): Admission | undefined => {
    const found = refused.get(key)
    if (found === undefined) return undefined
    const reset_seconds = Math.ceil((found.until_ms - now_ms) / 1000)
    if (reset_seconds > 0) return { ...found.admission, reset_seconds }
    refused.delete(key)
    return undefined
  }

  return {
    readmit: gate.readmit,
    admit: (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now_ms) => {
        const key = keyOf(request)
        const known = recall(key, now_ms)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.tap(gate.admit(request), (admission) =>
          Effect.sync(() => {
            if (admission.used > limit) remember(key, admission, now_ms)
          })
        )
      })
  }
}
