import { Schema, Struct } from "effect"
import type { Client } from "../clients/Client.ts"

const Parameter = Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))

/** Query of `GET /oauth/authorize` as it was sent. A repeated parameter is an array, which is refused later. */
export const AuthorizationQuery = Schema.Struct({
  client_id: Parameter,
  redirect_uri: Parameter,
  response_type: Parameter,
  state: Parameter,
  code_challenge: Parameter,
  code_challenge_method: Parameter,
  scope: Parameter
})
export type AuthorizationQuery = typeof AuthorizationQuery.Type

/** A request that may be granted: its client is known, its redirect_uri registered and its scopes allowed. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirect_uri: string
  readonly state: string
  readonly scopes: ReadonlyArray<string>
  readonly code_challenge: string
}

/** Next step of the browser. */
export type Decision =
  | { readonly _tag: "Redirect"; readonly location: string }
  | { readonly _tag: "Login" }
  | { readonly _tag: "Consent"; readonly request: AuthorizationRequest }

/** Writes the query as text, so that the browser can return to it after a login or a consent. */
export const queryText = (query: AuthorizationQuery): string => {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === "string" ? [value] : value) text.append(name, one)
  }
  return text.toString()
}

/** Parses the known parameters and drops all others. */
export const parseQuery = (text: string): AuthorizationQuery => {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    Struct.keys(AuthorizationQuery.fields).flatMap((name) => {
      const [first, ...others] = parameters.getAll(name)
      if (first === undefined) return []
      return [[name, others.length === 0 ? first : [first, ...others]]]
    })
  )
}
