import { Effect, Option } from "effect"
import { NetworkUnavailable } from "../../providers/Provider.ts"
import type { RecordComparison } from "../../providers/RecordComparison.ts"
import { type ChainKey, RecordsRepo } from "../RecordsRepo.ts"
import { holdingsOf, isAbout, isSameHash, monthOf, type Post } from "./AeatReconciliation.ts"

export const makeAeatComparison = Effect.map(RecordsRepo, (repo) =>
  Effect.fn("AeatComparison.compare")(function* (chain: ChainKey, post: Post, taxpayer_nif: string, month: string) {
    const candidates = yield* repo.acceptedIn({ ...chain, month })
    const own = candidates.filter((record) => monthOf(record) === month)
    const { issuer, issuer_name } = own[0] ?? { issuer: taxpayer_nif, issuer_name: taxpayer_nif }
    const found = yield* holdingsOf(post, { issuer, issuer_name, month, days: null, number: null })
    if (Option.isNone(found)) {
      return yield* new NetworkUnavailable({ message: "The AEAT does not say which records it has." })
    }
    const { held } = found.value
    const pairs = own.map((record) => ({ record, held: held.find((one) => isAbout(one, record)) }))
    const comparison: RecordComparison = {
      recorded: own.length,
      held: held.length,
      missing: pairs.flatMap(({ held, record }) => (held === undefined ? [record.number] : [])),
      different: pairs.flatMap(({ held, record }) => {
        if (held === undefined) return []
        const isSame = isSameHash(held, record) && (held.state === "Anulado") === record.is_cancelled
        return isSame ? [] : [record.number]
      }),
      unknown: held.flatMap((one) => (own.some((record) => isAbout(one, record)) ? [] : [one.number]))
    }
    return comparison
  })
).pipe(Effect.provide(RecordsRepo.layer))
