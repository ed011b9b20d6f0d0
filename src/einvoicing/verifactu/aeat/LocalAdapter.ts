import { Clock, Effect, Redacted, Schema } from "effect"
import type { OrganizationId } from "../../../kernel/Ids.ts"
import { adapter } from "../../providers/Adapter.ts"
import type { Provider } from "../../providers/Provider.ts"
import { certificate_settings, local_adapter, system_settings, systemOf } from "../AeatSettings.ts"
import { makeKeptBooks } from "../kept/KeptBooks.ts"
import type { Keeper } from "../kept/RecordLog.ts"
import { signingWith } from "../kept/RecordSigning.ts"
import { RecordChain } from "../RecordChain.ts"
import type { ChainKey } from "../RecordsRepo.ts"
import { silent } from "./AeatAdapter.ts"
import { makeAeatOutbox } from "./AeatOutbox.ts"

const Settings = Schema.Struct({ ...system_settings, ...certificate_settings })

/** Serves an organization that stores signed records and a signed log of events, and shows them only on demand. */
export const localRecordsAdapter = Effect.gen(function* () {
  const records = yield* RecordChain
  const outbox = yield* makeAeatOutbox
  const books = yield* makeKeptBooks

  const connect = (organization_id: OrganizationId, settings: typeof Settings.Type): Provider => {
    const chain: ChainKey = { organization_id, environment: "production" }
    const system = systemOf(settings)
    const pfx = Buffer.from(Redacted.value(settings.certificate), "base64")
    const sign = signingWith(pfx, Redacted.value(settings.certificate_password))
    const keeper: Keeper = { chain, system, taxpayer_nif: settings.taxpayer_nif, sign: sign.event }
    const kept = { chain, system, state: "kept", sign: sign.record } as const
    // A stored record already has its final state, so nothing is sent.
    const service = { post: () => Effect.succeed(""), last_day: null }
    return {
      ...silent,
      name: "Records kept here",
      environment: "production",
      check: Effect.flatMap(Clock.currentTimeMillis, sign.check),
      write: (invoice, writing) =>
        Effect.andThen(books.checkLatest(keeper), records.register(invoice, { ...writing, ...kept })),
      cancel: (writing) => Effect.andThen(books.checkLatest(keeper), records.cancel({ ...writing, ...kept })),
      submit: (transmission) => outbox.submit(chain, service, transmission),
      poll: (transmission_id) => outbox.poll(chain, transmission_id),
      books: books.of(chain, keeper)
    }
  }

  return adapter({
    code: local_adapter,
    network: "es_verifactu",
    name: "Records kept here (no VERI*FACTU)",
    settings: Settings,
    account: ({ taxpayer_nif }: typeof Settings.Type) => taxpayer_nif,
    connect
  })
})
