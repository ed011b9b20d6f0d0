import { Schema } from "effect"
import { ClientId } from "../../kernel/Ids.ts"
import { Name } from "../../kernel/Text.ts"
import { everyScope, Scopes, StoredScopes } from "../Scope.ts"
import { isRegistrable } from "./RedirectUri.ts"

export const redirect_uris_max = 20

const RedirectUri = Schema.String.check(
  Schema.makeFilter((uri) => isRegistrable(uri) || "must be an https, loopback or <scheme>://oauth2redirect address.")
)

/** An application that users let act for them (RFC 6749, 2). */
export const Client = Schema.Struct({
  id: ClientId,
  name: Name,
  /** Our own client: users are not asked for consent, and its tokens are not bound to one organization. */
  first_party: Schema.Boolean,
  /** A confidential client has a secret. A public client, such as an app or a page, cannot keep a secret. */
  confidential: Schema.Boolean,
  /** RFC 9700, 2.4 forbids this grant for new clients, so it is off unless an old integration needs it. */
  password_grant: Schema.Boolean,
  redirect_uris: Schema.Array(RedirectUri).check(Schema.isMaxLength(redirect_uris_max)),
  /** Scopes that the client may request, and that it gets when it requests none. */
  scopes: StoredScopes
})
export type Client = typeof Client.Type

/** Sentence that completes "The scopes field ...". */
export const every_scope_refused = "may hold * for a first-party client only."

/** True if the client may have its scopes: only a first-party client may have the scope that includes all others. */
export const mayHaveScopes = ({
  first_party,
  scopes
}: Pick<Client, "first_party"> & Partial<Pick<Client, "scopes">>): boolean =>
  first_party || scopes?.includes(everyScope) !== true

/** Changes of a client; fields that are missing stay as they are. */
export const ClientChanges = Schema.Struct({
  name: Schema.optionalKey(Client.fields.name),
  redirect_uris: Schema.optionalKey(Client.fields.redirect_uris),
  scopes: Schema.optionalKey(Scopes)
})
export type ClientChanges = typeof ClientChanges.Type

export const ClientDraft = Schema.Struct({
  name: Client.fields.name,
  first_party: Client.fields.first_party,
  confidential: Client.fields.confidential,
  password_grant: Schema.optionalKey(Client.fields.password_grant),
  redirect_uris: Client.fields.redirect_uris,
  scopes: Schema.optionalKey(Scopes)
}).check(Schema.makeFilter((draft) => mayHaveScopes(draft) || { path: ["scopes"], issue: every_scope_refused }))
export type ClientDraft = typeof ClientDraft.Type
