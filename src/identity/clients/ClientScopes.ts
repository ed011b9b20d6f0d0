import { Option, Schema } from "effect"
import type { Client } from "./Client.ts"
import { covers, parseScopes, Scope } from "../Scope.ts"

const isScope = Schema.is(Scope)

/** Returns the requested scopes, or else the registered ones; none if the client may not have all requested ones. */
export const grantable = (client: Client, asked: string | undefined): Option.Option<ReadonlyArray<string>> => {
  if (asked === undefined) return Option.some(client.scopes)
  const scopes = parseScopes(asked)
  const allowed = scopes.length > 0 && scopes.every((scope) => isScope(scope)) && covers(client.scopes, scopes)
  return allowed ? Option.some(scopes) : Option.none()
}

/** Returns the scopes that the user granted and that the client still has, because it may have lost some since. */
export const stillHeld = (
  { scopes }: Pick<Client, "scopes">,
  granted: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...new Set([
    ...granted.filter((scope) => covers(scopes, [scope])),
    ...scopes.filter((scope) => covers(granted, [scope]))
  ])
]
