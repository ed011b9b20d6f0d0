import { Command, Flag } from "effect/cli"
import { redirect_uris_max } from "../../../identity/clients/Client.ts"
import { everyScope, Scope, scopesKnown } from "../../../identity/Scope.ts"
import { organization_id, paging, perform } from "../Root.ts"

const scope = (offered: ReadonlyArray<Scope>, initial: ReadonlyArray<Scope>) =>
  Flag.Literals("scope", offered).pipe(
    Flag.withDescription("What the token may be used for; may be repeated. The default is everything"),
    Flag.between(1, offered.length),
    Flag.withDefault(initial)
  )

const token = {
  name: Flag.String("name").pipe(Flag.withDescription("What the token is for")),
  expires_at: Flag.String("expires-at").pipe(
    Flag.withDescription("RFC 3339, e.g. 2030-01-01T00:00:00Z; without it, the token is valid until it is revoked"),
    Flag.optional
  )
}

const issueOrganization = Command.make(
  "issue-organization",
  { organization_id, ...token, scopes: scope(scopesKnown, scopesKnown) },
  (flags) => perform("IssueOrganizationToken", flags)
).pipe(Command.withDescription("Issue an API token of an organization; its secret is shown once"))

const revokeOrganization = Command.make(
  "revoke-organization",
  { organization_id, token_id: Flag.Int("token").pipe(Flag.withDescription("Id of the token")) },
  (flags) => perform("RevokeOrganizationToken", flags)
).pipe(Command.withDescription("Revoke an API token of an organization at once"))

const listOrganization = Command.make("list-organization", { organization_id, ...paging }, (flags) =>
  perform("ListOrganizationTokens", flags, ["id", "name", "created_at", "expires_at", "scopes"])
).pipe(Command.withDescription("List the API tokens of an organization"))

const issuePersonal = Command.make(
  "issue-personal",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Email address of the user that the token acts for")),
    ...token,
    scopes: scope(Scope.literals, [everyScope])
  },
  (flags) => perform("IssuePersonalAccessToken", flags)
).pipe(Command.withDescription("Issue a personal access token; its secret is shown once"))

export const tokens = Command.make("token").pipe(
  Command.withDescription("API tokens"),
  Command.withSubcommands([issueOrganization, revokeOrganization, listOrganization, issuePersonal])
)

const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name that people see when they are asked for consent")),
    first_party: flag("first-party", "Our own client: no consent is asked"),
    confidential: flag("confidential", "Has a secret; not for apps and pages"),
    password_grant: flag("password-grant", "For an old integration only"),
    redirect_uris: Flag.String("redirect-uri").pipe(
      Flag.withDescription("Address to which people return; may be repeated"),
      Flag.between(1, redirect_uris_max),
      Flag.withDefault([])
    ),
    scopes: Flag.Literals("scope", Scope.literals).pipe(
      Flag.withDescription(
        "Scope that the client may request; may be repeated, * for a first-party client only. The default is the scopes of the mobile client"
      ),
      Flag.atLeast(1),
      Flag.optional
    )
  },
  (flags) => perform("CreateOAuthClient", flags)
).pipe(Command.withDescription("Register an OAuth client; its secret is shown once"))

const update = Command.make(
  "update",
  {
    client_id: Flag.String("client").pipe(Flag.withDescription("Id of the client")),
    name: Flag.String("name").pipe(Flag.withDescription("Name that people see from then on"), Flag.optional),
    redirect_uris: Flag.String("redirect-uri").pipe(
      Flag.withDescription("Replaces all redirect addresses; may be repeated"),
      Flag.between(1, redirect_uris_max),
      Flag.optional
    ),
    scopes: Flag.Literals("scope", Scope.literals).pipe(
      Flag.withDescription("Replaces all scopes that the client may request; may be repeated"),
      Flag.atLeast(1),
      Flag.optional
    )
  },
  (flags) => perform("UpdateOAuthClient", flags)
).pipe(Command.withDescription("Change a client; what is not given stays as it is"))

const rotateSecret = Command.make(
  "rotate-secret",
  { client_id: Flag.String("client").pipe(Flag.withDescription("Id of a confidential client")) },
  (flags) => perform("RotateClientSecret", flags)
).pipe(Command.withDescription("Give a client a new secret; the old one is refused at once"))

const list = Command.make("list", paging, (flags) =>
  perform("ListOAuthClients", flags, ["id", "name", "first_party", "confidential", "password_grant"])
).pipe(Command.withDescription("List OAuth clients, the newest first"))

const remove = Command.make(
  "remove",
  { client_id: Flag.String("client").pipe(Flag.withDescription("Id of the client")) },
  (flags) => perform("RemoveOAuthClient", flags)
).pipe(Command.withDescription("Remove a client and revoke all its tokens"))

export const client = Command.make("client").pipe(
  Command.withDescription("OAuth clients"),
  Command.withSubcommands([create, list, update, rotateSecret, remove])
)
