import { Effect, Schema } from "effect"
import { TimeZone } from "../../../src/kernel/Calendar.ts"
import { CountryCode } from "../../../src/kernel/Country.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { OrganizationId, TokenId } from "../../../src/kernel/Ids.ts"
import { OrganizationSettings } from "../../../src/kernel/OrganizationSettings.ts"
import { CurrentOrganization, CurrentPrincipal } from "../../../src/platform/http/Security.ts"

export const organization = {
  id: OrganizationId.make(1),
  name: "Large",
  country: CountryCode.make("BE"),
  currency: CurrencyCode.make("EUR"),
  timezone: TimeZone.make("Europe/Brussels"),
  language: "en",
  settings: Schema.decodeSync(OrganizationSettings)({}),
  currency_in_use: true,
  archived: false,
  plan: "business",
  role: null
}

const principal = {
  token_id: TokenId.make(1),
  kind: "organization" as const,
  user_id: null,
  client_id: null,
  scopes: new Set(["*"]),
  bound_organization_id: null,
  actor: "token:1"
}

/** Runs an effect as a request of the measured organization would run it, without the HTTP server. */
export const asCaller = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(CurrentOrganization, organization),
    Effect.provideService(CurrentPrincipal, principal)
  )
