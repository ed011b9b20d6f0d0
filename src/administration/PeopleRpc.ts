import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { Client, ClientChanges, ClientDraft } from "../identity/clients/Client.ts"
import { PasswordLink } from "../identity/accounts/PasswordLink.ts"
import { ApiToken, ApiTokenDraft } from "../identity/tokens/ApiToken.ts"
import { User, UserDraft } from "../identity/users/User.ts"
import { EmailTaken, OwnAccount, PasswordUnacceptable } from "../identity/users/UserErrors.ts"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { page_max, per_page_max } from "../kernel/Envelope.ts"
import { ClientId, OrganizationId, UserId } from "../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { Line } from "../kernel/Text.ts"
import { InvitationDraft, Member, RoleChange } from "../organizations/members/Member.ts"
import { AlreadyMember, LastOwner } from "../organizations/members/MemberErrors.ts"
import { PasswordsBusy } from "../platform/crypto/Passwords.ts"
import { AlreadySetUp } from "./AdministrationErrors.ts"

const Password = Schema.RedactedFromValue(Schema.String)

/** A secret that the service returns only once, in the answer to the call that made it. */
export const Secret = Schema.RedactedFromValue(Schema.String)

export const page = {
  page: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: page_max }))),
  per_page: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: per_page_max })))
}

const CreateUser = Rpc.make("CreateUser", {
  payload: { ...UserDraft.fields, password: Password },
  success: User,
  error: Schema.Union([EmailTaken, PasswordUnacceptable, PasswordsBusy])
})

/** Makes a link with which a user can set a password. An operator passes it to the user. */
const CreatePasswordLink = Rpc.make("CreatePasswordLink", {
  payload: { email: EmailAddress },
  success: PasswordLink,
  error: NotFound
})

/** Grants or revokes a user's right to run this installation at `/admin`. */
const SetSuperadmin = Rpc.make("SetSuperadmin", {
  payload: { email: EmailAddress, superadmin: Schema.Boolean },
  success: User,
  error: NotFound
})

const byEmail = { payload: { email: EmailAddress }, success: User, error: NotFound }

const ListUsers = Rpc.make("ListUsers", {
  /** `search` matches a part of the name or of the email address. */
  payload: { search: Schema.optionalKey(Line), ...page },
  success: Schema.Struct({ users: Schema.Array(User), total: Schema.Int })
})

/** Logs a user out everywhere, and revokes their tokens for good. Users cannot disable themselves. */
const DisableUser = Rpc.make("DisableUser", { ...byEmail, error: Schema.Union([NotFound, OwnAccount]) })

const EnableUser = Rpc.make("EnableUser", byEmail)

/** Turns the second factor off, for a user who has lost the app and the recovery codes. */
const RemoveSecondFactor = Rpc.make("RemoveSecondFactor", byEmail)

/** Makes a link by which the first organization of an empty installation is created. */
const CreateSetupLink = Rpc.make("CreateSetupLink", {
  success: Schema.Struct({ link: Secret, valid_hours: Schema.Int }),
  error: AlreadySetUp
})

/** Requests with this token act as the user. */
const IssuePersonalAccessToken = Rpc.make("IssuePersonalAccessToken", {
  payload: { email: EmailAddress, ...ApiTokenDraft.fields },
  success: Schema.Struct({ token: ApiToken, secret: Secret }),
  error: NotFound
})

const CreateOAuthClient = Rpc.make("CreateOAuthClient", {
  payload: ClientDraft,
  /** The secret is null for a public client, because only a confidential client has one. */
  success: Schema.Struct({ client: Client, client_secret: Schema.NullOr(Secret) })
})

/** Fields that are missing stay as they are. A client that loses scopes has to renew its access tokens with these scopes. */
const UpdateOAuthClient = Rpc.make("UpdateOAuthClient", {
  payload: { client_id: ClientId, ...ClientChanges.fields },
  success: Client,
  error: Schema.Union([NotFound, ValidationFailed])
})

/** The old secret stops working immediately. Fails with NotFound for a public client, which has no secret. */
const RotateClientSecret = Rpc.make("RotateClientSecret", {
  payload: { client_id: ClientId },
  success: Schema.Struct({ client_secret: Secret }),
  error: NotFound
})

const ListOAuthClients = Rpc.make("ListOAuthClients", {
  payload: page,
  success: Schema.Struct({ clients: Schema.Array(Client), total: Schema.Int })
})

const RemoveOAuthClient = Rpc.make("RemoveOAuthClient", {
  payload: { client_id: ClientId },
  success: Client,
  error: NotFound
})

const ofMember = { organization_id: OrganizationId, user_id: UserId }

/** Invites somebody by mail, also as an owner. */
const InviteMember = Rpc.make("InviteMember", {
  payload: { organization_id: OrganizationId, ...InvitationDraft.fields },
  success: Member,
  error: Schema.Union([NotFound, AlreadyMember])
})

const SetRole = Rpc.make("SetRole", {
  payload: { ...ofMember, ...RoleChange.fields },
  success: Member,
  error: Schema.Union([NotFound, LastOwner])
})

/** Returns the former member, who loses access immediately. */
const RemoveMember = Rpc.make("RemoveMember", {
  payload: ofMember,
  success: Member,
  error: Schema.Union([NotFound, LastOwner])
})

export class PeopleRpc extends RpcGroup.make(
  CreateUser,
  ListUsers,
  DisableUser,
  EnableUser,
  RemoveSecondFactor,
  CreatePasswordLink,
  SetSuperadmin,
  CreateSetupLink,
  InviteMember,
  SetRole,
  RemoveMember,
  IssuePersonalAccessToken,
  CreateOAuthClient,
  ListOAuthClients,
  UpdateOAuthClient,
  RotateClientSecret,
  RemoveOAuthClient
) {}
