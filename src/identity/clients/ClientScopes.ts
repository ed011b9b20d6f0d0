import { Option, Schema } from "effect"
import type { Client } from "./Client.ts"
import { covers, everyScope, parseScopes, Scope } from "../Scope.ts"

const isScope = Schema.is(Scope)

/** Returns the requested scopes, or else the registered ones; none if the client may not have all requested ones. */
export const grantable = (client: Client, asked: string | undefined): Option.Option<ReadonlyArray<string>> => {
  if (asked === undefined) return Option.some(client.scopes)
  const scopes = parseScopes(asked)
  const allowed = scopes.length > 0 && scopes.every((scope) => mayRequest(client, scope))
  return allowed ? Option.some(scopes) : Option.none()
}

/** During an upgrade, a client may be registered with a scope that only the later version knows. */
const mayRequest = ({ scopes }: Client, scope: string): boolean =>
  scopes.includes(scope) || (scopes.includes(everyScope) && isScope(scope))

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
