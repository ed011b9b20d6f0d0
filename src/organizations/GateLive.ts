import { Effect, Layer, Option } from "effect"
import { hashToken } from "../platform/crypto/Opaque.ts"
import { type ActiveOrganization, Gate, type Principal } from "../platform/http/Security.ts"
import { type Found, GateRepo } from "./GateRepo.ts"

const principalOf = (found: Found): Option.Option<Principal> => {
  if (found.token_id === null || found.kind === null) return Option.none()
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

const organizationOf = (found: Found): Option.Option<ActiveOrganization> => {
  const { archived, country, currency, currency_in_use, id, language, name, settings, timezone } = found
  // The columns come from one row: either all are there or none is.
  if (id === null || name === null || country === null || currency === null || timezone === null) return Option.none()
  if (language === null || settings === null || currency_in_use === null) return Option.none()
  const facts = { id, name, country, currency, timezone, language, settings, currency_in_use }
  return Option.some({ ...facts, archived: archived === true, role: found.role })
}

/** Answers the edge's question out of identity's credentials and this context's members, in one round trip. */
export const GateLive = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const repo = yield* GateRepo
    return Gate.of({
      admit: Effect.fn("Gate.admit")(function* ({ address, organization_id, token }) {
        const found = yield* repo.admit({
          hash: token === undefined ? null : hashToken(token),
          address,
          organization_id
        })
        return {
          principal: principalOf(found),
          organization: organizationOf(found),
          used: found.used,
          reset_seconds: found.reset_seconds
        }
      })
    })
  })
).pipe(Layer.provide(GateRepo.layer))
