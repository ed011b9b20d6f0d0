import { Context, type Effect, type Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import type { TimeZone } from "../../kernel/Calendar.ts"
import type { CountryCode } from "../../kernel/Country.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { ClientId, OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import type { LoadedSettings } from "../../kernel/OrganizationSettings.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import type { Role } from "../../kernel/Role.ts"
import {
  Forbidden,
  MissingScope,
  OrganizationArchived,
  OrganizationForbidden,
  OrganizationRequired,
  Unauthenticated
} from "./Refusals.ts"

/** The caller, as the credential identifies it. An organization API token acts for no user. */
export interface Principal {
  readonly token_id: TokenId
  readonly kind: "access" | "personal" | "organization"
  readonly user_id: UserId | null
  readonly client_id: ClientId | null
  /** `*` means every scope. */
  readonly scopes: ReadonlySet<string>
  /** The only organization this credential may act on; null allows every one that the user belongs to. */
  readonly bound_organization_id: OrganizationId | null
  /** The actor in the audit chain: `user:3` or `token:5`. */
  readonly actor: string
}

/** The organization that a request acts on, as it was when the request arrived. */
export interface ActiveOrganization {
  readonly id: OrganizationId
  readonly name: string
  readonly country: CountryCode
  readonly currency: CurrencyCode
  readonly timezone: TimeZone
  readonly language: string
  readonly settings: LoadedSettings
  readonly currency_in_use: boolean
  readonly plan: string
  readonly archived: boolean
  /** Null for an organization API token, whose scopes alone decide what it may do. */
  readonly role: Role | null
}

/** @effect-leakable-service */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "invoicing/platform/http/Security/CurrentPrincipal"
) {}

/** @effect-leakable-service */
export class CurrentOrganization extends Context.Service<CurrentOrganization, ActiveOrganization>()(
  "invoicing/platform/http/Security/CurrentOrganization"
) {}

/** Every write needs to know who acts, and for which organization. */
export type Caller = CurrentOrganization | CurrentPrincipal

export interface Admission {
  readonly principal: Option.Option<Principal>
  /** None if the request has no organization or an unknown one, or if the caller does not belong to it. */
  readonly organization: Option.Option<ActiveOrganization>
  /** Requests in the current window of the rate limit, including this one, and seconds until the window ends. */
  readonly used: number
  readonly reset_seconds: number
}

export interface AdmissionRequest {
  readonly token: string | undefined
  readonly address: string
  readonly organization_id: number | null
}

/** Finds the credential, the membership and the rate counter of a request in one round trip to the database. */
export class Gate extends Context.Service<
  Gate,
  {
    readonly admit: (request: AdmissionRequest) => Effect.Effect<Admission>
    /** Like `admit`, for a request that was already counted. */
    readonly readmit: (request: AdmissionRequest) => Effect.Effect<Admission>
  }
>()("invoicing/platform/http/Security/Gate") {}

/**
 * Identity of a credential. For OAuth, it consists of user and client, so it stays the same when the access token is
 * refreshed. For any other token, it is the id of the token.
 */
export const credentialOf = ({ client_id, kind, token_id, user_id }: Principal): string =>
  kind === "access" ? `user:${user_id} client:${client_id}` : `token:${token_id}`

/** An effect that ends with the answer to the current request. */
export type Answering<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** `Edge.ts` and the endpoint's middleware set these facts of a request, each as soon as it is known. */
export interface RequestFacts {
  readonly id: string
  admission: Admission | undefined
  /** The place where the request names its organization; `absent` if it names none, `malformed` if the text is not an id. */
  readonly organization: "absent" | "malformed" | "header" | "path"
  readonly if_match: string | undefined
  route: string | undefined
  /** Version of the record in the answer. */
  version: number | undefined
  /** Set for a request with an `Idempotency-Key`: runs the authorized work, or replays its stored answer. */
  once: (<E, R>(authorized: Answering<E, R>) => Answering<E, R>) | undefined
}

/** The default fails closed: it contains no `admission`, so nobody is admitted unless `Edge.ts` provides the facts. */
export const RequestFacts = Context.Reference<RequestFacts>("invoicing/platform/http/RequestFacts", {
  defaultValue: () => ({
    id: "none",
    admission: undefined,
    organization: "absent",
    if_match: undefined,
    route: undefined,
    version: undefined,
    once: undefined
  })
})

/** Requires a valid credential that has the scope of the endpoint, for endpoints outside an organization. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "invoicing/platform/http/Authentication",
  { error: [Unauthenticated, MissingScope] }
) {}

/** For endpoints of an organization: checks credential, organization, scope and role permission, in this order. */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { provides: CurrentPrincipal | CurrentOrganization }
>()("invoicing/platform/http/Authorization", {
  error: [
    Unauthenticated,
    OrganizationRequired,
    OrganizationForbidden,
    OrganizationArchived,
    MissingScope,
    Forbidden,
    NotFound
  ]
}) {}
