import { Cache, Effect, Layer, Option, Schema } from "effect"
import { LoadedSettings } from "../../kernel/OrganizationSettings.ts"
import { hashToken } from "../../platform/crypto/Opaque.ts"
import { type ActiveOrganization, Gate, type Principal } from "../../platform/http/Security.ts"
import { spanned } from "../../platform/observability/Spanned.ts"
import { type Found, GateRepo } from "./GateRepo.ts"

const principalOf = (found: Found): Option.Option<Principal> => {
  if (found.token_id === null) return Option.none()
  return Option.some({
    token_id: found.token_id,
    kind: found.kind,
    user_id: found.user_id,
    client_id: found.client_id,
    scopes: new Set(found.scopes),
    bound_organization_id: found.bound_organization_id,
    actor: found.user_id === null ? `token:${found.token_id}` : `user:${found.user_id}`
  })
}

const settings_cached_max = 1_000

/**
 * Decoded settings are cached, because decoding them takes longer than all other work here, and most organizations have
 * equal settings.
 */
const decodedSettings = Effect.map(
  Cache.make({
    capacity: settings_cached_max,
    lookup: (text: string) => Effect.orDie(decodeSettings(text))
  }),
  (cache) => (text: string) => Cache.get(cache, text)
)

const decodeSettings = Schema.decodeEffect(Schema.fromJsonString(LoadedSettings))

/** Finds the caller and the organization of a request, and counts the request, in one SQL statement. */
export const GateLive = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const repo = yield* GateRepo
    const settingsOf = yield* decodedSettings
    const organizationOf = Effect.fnUntraced(function* (found: Found) {
      if (found.id === null) return Option.none<ActiveOrganization>()
      const { archived, country, currency, currency_in_use, id, language, name, plan, role, timezone } = found
      const settings = yield* settingsOf(found.settings)
      const facts = { id, name, country, currency, timezone, language, currency_in_use, plan }
      return Option.some({ ...facts, settings, archived, role })
    })
    const admitting = (find: typeof repo.admit): Gate["Service"]["admit"] =>
      Effect.fnUntraced(function* ({ address, organization_id, token }) {
        const found = yield* find({
          hash: token === undefined ? null : hashToken(token),
          address,
          organization_id
        })
        return {
          principal: principalOf(found),
          organization: yield* organizationOf(found),
          used: found.used,
          reset_seconds: found.reset_seconds
        }
      }, spanned("Gate.admit"))
    return Gate.of({ admit: admitting(repo.admit), readmit: admitting(repo.readmit) })
  })
).pipe(Layer.provide(GateRepo.layer))
