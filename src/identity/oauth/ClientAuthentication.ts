import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { ClientCredentials } from "../clients/Clients.ts"
import { InvalidClient, InvalidRequest } from "../OAuthErrors.ts"
import { given } from "./TokenRequest.ts"

interface ClientFields {
  readonly client_id?: string | null
  readonly client_secret?: string | null
}

/** Reads the client's credentials from HTTP Basic or from the body, but not from both (RFC 6749, 2.3). */
export const credentialsOf = Effect.fnUntraced(function* (fields: ClientFields, authorization: string | undefined) {
  const client_id = given(fields.client_id)
  const client_secret = given(fields.client_secret)
  const basic = /^basic +(\S+) *$/i.exec(authorization ?? "")?.[1]
  if (basic === undefined) {
    if (client_id === undefined) return yield* InvalidClient.of()
    return { client_id, client_secret } satisfies ClientCredentials
  }
  const decoded = Base64.decodeString(basic)
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Result.getOrElse(decoded, () => "")) ?? []
  if (id === undefined || secret === undefined) return yield* InvalidClient.of()
  const credentials = { client_id: formDecoded(id), client_secret: given(formDecoded(secret)) }
  if (client_secret !== undefined || (client_id !== undefined && client_id !== credentials.client_id)) {
    return yield* InvalidRequest.of("The client identifies itself in more than one way.")
  }
  return credentials satisfies ClientCredentials
})

/** HTTP Basic contains the id and the secret form-encoded (RFC 6749, 2.3.1). */
const formDecoded = (text: string): string =>
  new URLSearchParams(`part=${text.replaceAll("&", "%26")}`).get("part") ?? ""
