import { Clock, Effect, Option } from "effect"
import type { Admission, Gate } from "../Security.ts"

/** Those whose window ends the soonest are forgotten first, and asked about again. */
const remembered_max = 10_000

type Question = Parameters<Gate["Service"]["admit"]>[0]

/** A token without an owner counts for the address, where the next one might have one. */
const keyOf = ({ address, token }: Question, { principal }: Admission) =>
  Option.isSome(principal) ? `token ${token}` : `address ${address}`

/**
 * The gate, which is not asked again about a caller whom it has just refused until the window of the caller ends: a
 * flood writes nothing to the database, and holds up none of the statements that others wait for.
 */
export const rememberingRefused = (gate: Gate["Service"], limit: number): Gate["Service"] => {
  const refused = new Map<string, { readonly admission: Admission; readonly until_ms: number }>()

  const remember = (key: string, admission: Admission, now_ms: number) => {
    refused.delete(key)
    refused.set(key, { admission, until_ms: now_ms + admission.reset_seconds * 1000 })
    const [oldest] = refused.keys()
    if (refused.size > remembered_max && oldest !== undefined) refused.delete(oldest)
  }

  const recall = ({ address, token }: Question, now_ms: number): Admission | undefined => {
    const key = token === undefined ? `address ${address}` : `token ${token}`
    const found = refused.get(key)
    if (found === undefined) return undefined
    const reset_seconds = Math.ceil((found.until_ms - now_ms) / 1000)
    if (reset_seconds > 0) return { ...found.admission, reset_seconds }
    refused.delete(key)
    return undefined
  }

  return {
    admit: (question) =>
      Effect.flatMap(Clock.currentTimeMillis, (now_ms) => {
        const known = recall(question, now_ms)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.tap(gate.admit(question), (admission) =>
          Effect.sync(() => {
            if (admission.used > limit) remember(keyOf(question, admission), admission, now_ms)
          })
        )
      })
  }
}
