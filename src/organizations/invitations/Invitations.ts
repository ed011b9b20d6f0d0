import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { LoginOrigin } from "../../identity/users/LoginThrottle.ts"
import type { User } from "../../identity/users/User.ts"
import { CredentialsWrong, type LoginThrottled, type PasswordUnacceptable } from "../../identity/users/UserErrors.ts"
import { type CheckedUser, Users } from "../../identity/users/Users.ts"
import type { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import type { PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import type { Forbidden } from "../../platform/http/Refusals.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { readableAddress } from "../../platform/mail/AddressSpelling.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type InvitationDraft, type Member, memberEvent } from "../members/Member.ts"
import { AlreadyMember, InvitationsThrottled, type OwnersOnly } from "../members/MemberErrors.ts"
import { MembersRepo } from "../members/MembersRepo.ts"
import { holdRole, requireOwner } from "../members/CallerRules.ts"
import { OrganizationsRepo } from "../profile/OrganizationsRepo.ts"
import { type Invitation, InvitationGone } from "./Invitation.ts"
import { InvitationMail } from "./InvitationMail.ts"
import { InvitationMailsRepo } from "./InvitationMailsRepo.ts"
import { InvitationsRepo } from "./InvitationsRepo.ts"

type InvitedMember = Pick<Invitation, "organization_id" | "user_id">

/** Proves that the holder of the link is the invited user. */
interface Proof {
  /** The user who is logged in, in the browser that opened the link. */
  readonly session: Option.Option<UserId>
  /** The password of the existing account, or the one chosen for a new account. */
  readonly password: Redacted.Redacted
  readonly name: string
  /** The origin of the request, by which password guesses are limited. */
  readonly origin: LoginOrigin
}

interface Chosen {
  readonly name: string
  readonly password_hash: string
}

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Invites by mail; a user who is already invited gets a new link, which replaces the old one. */
    readonly invite: (
      draft: InvitationDraft
    ) => Effect.Effect<Member, OwnersOnly | AlreadyMember | InvitationsThrottled | Forbidden, Caller>
    /** Like `invite`, but without limits, for an administrator of the installation, who may also appoint owners. */
    readonly inviteTo: (
      organization_id: OrganizationId,
      draft: InvitationDraft,
      actor: string
    ) => Effect.Effect<Member, AlreadyMember>
    readonly open: (
      token: string
    ) => Effect.Effect<{ readonly invitation: Invitation; readonly user: User }, InvitationGone>
    /**
     * The link never opens an existing account without its password or session. A user without a password sets one. The
     * answer has the user whom a password proved, so that a login may follow.
     */
    readonly accept: (
      token: string,
      proof: Proof
    ) => Effect.Effect<
      { readonly invitation: Invitation; readonly proven: Option.Option<CheckedUser> },
      InvitationGone | CredentialsWrong | LoginThrottled | PasswordUnacceptable | PasswordsBusy
    >
  }
>()("invoicing/organizations/invitations/Invitations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvitationsRepo
      const mails = yield* InvitationMailsRepo
      const members = yield* MembersRepo
      const organizations = yield* OrganizationsRepo
      const users = yield* Users
      const mail = yield* InvitationMail
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const admit = Effect.fnUntraced(function* (mail: InvitedMember) {
        yield* mails.lock(mail.user_id)
        const { seconds } = yield* mails.wait(mail)
        if (seconds !== null) return yield* new InvitationsThrottled({ retry_after_seconds: seconds })
        yield* mails.record(mail)
      })

      /**
       * Runs `ownersRule` first if the role `owner` is granted, or taken from an invited owner. `admission` runs before
       * a mail is enqueued, and may refuse it.
       */
      const add = Effect.fnUntraced(function* <E, R, Refused>(
        organization_id: OrganizationId,
        { email, role }: InvitationDraft,
        actor: string,
        ownersRule: Effect.Effect<void, E, R>,
        admission: (mail: InvitedMember) => Effect.Effect<void, Refused>
      ) {
        yield* organizations.lock(organization_id)
        const user = yield* users.invite({ email, name: email })
        const key = { organization_id, user_id: user.id }
        const known = Option.getOrUndefined(yield* members.find(key))
        if (known?.status === "active") return yield* AlreadyMember.of()
        if (role === "owner" || known?.role === "owner") yield* ownersRule
        yield* admission(key)
        const token = yield* newToken("inv")
        // The invited user may have accepted an earlier invitation since the member was read.
        const invitation = { ...key, invited_email: readableAddress(email), role, hash: hashToken(token) }
        if (Option.isNone(yield* repo.issue(invitation))) return yield* AlreadyMember.of()
        yield* mail.enqueue(key, token)
        const member = Option.getOrThrow(yield* members.find(key))
        const data = { user_id: user.id, role }
        const isChanged = known?.role !== role
        const name = known === undefined ? "member.created" : "member.updated"
        const events = isChanged ? [yield* memberEvent(name, member)] : []
        yield* auditLog.append({ organization_id, actor, action: "member.invited", data, events })
        return member
      })

      const invite = Effect.fn("Invitations.invite")(function* (draft: InvitationDraft) {
        const { id } = yield* CurrentOrganization
        const { actor } = yield* CurrentPrincipal
        yield* organizations.lock(id)
        yield* holdRole(members, "users.manage")
        return yield* add(id, draft, actor, requireOwner(members, id), admit)
      }, transaction)

      const inviteTo = Effect.fn("Invitations.inviteTo")(function* (
        organization_id: OrganizationId,
        draft: InvitationDraft,
        actor: string
      ) {
        return yield* add(organization_id, draft, actor, Effect.void, () => Effect.void)
      }, transaction)

      const open = Effect.fn("Invitations.open")(function* (token: string) {
        const invitation = Option.getOrUndefined(yield* repo.find(hashToken(token)))
        if (invitation === undefined) return yield* new InvitationGone({ reason: "unknown" })
        const { state } = invitation
        if (state !== "open") return yield* new InvitationGone({ reason: state })
        const user = Option.getOrThrow(yield* users.find(invitation.user_id))
        if (user.disabled_at !== null) return yield* new InvitationGone({ reason: "unknown" })
        return { invitation, user }
      })

      /** Accepts an invitation. `chosen` contains the name and the hash of the password for a new account. */
      const join = Effect.fnUntraced(function* (token: string, user_id: UserId, chosen: Option.Option<Chosen>) {
        yield* users.lock(user_id)
        yield* repo.lockUser(user_id)
        const { invitation, user } = yield* open(token)
        if (Option.isSome(chosen)) {
          // The user has accepted another invitation meanwhile, and has chosen a password there.
          if (user.has_password) return yield* new CredentialsWrong()
          yield* users.setName(user_id, chosen.value.name)
          yield* users.setPassword(user_id, chosen.value.password_hash)
        }
        yield* repo.accept(hashToken(token))
        const { organization_id, role } = invitation
        const data = { user_id, role }
        const member = Option.getOrThrow(yield* members.find({ organization_id, user_id }))
        const events = [yield* memberEvent("member.updated", member, "invited")]
        yield* auditLog.append({ organization_id, actor: `user:${user_id}`, action: "member.joined", data, events })
        return invitation
      }, transaction)

      const accept = Effect.fn("Invitations.accept")(function* (token: string, proof: Proof) {
        const { user } = yield* open(token)
        if (!user.has_password) {
          // Hashing takes long, so it comes before the transaction, which locks the user.
          const password_hash = yield* users.hash(proof.password, user.email)
          const invitation = yield* join(token, user.id, Option.some({ name: proof.name, password_hash }))
          return { invitation, proven: Option.some({ ...user, checked_hash: password_hash }) }
        }
        const joining = join(token, user.id, Option.none())
        if (Option.contains(proof.session, user.id)) return { invitation: yield* joining, proven: Option.none() }
        const proven = yield* users.authenticate(user.email, proof.password, proof.origin)
        return { invitation: yield* users.whileChecked(proven, joining), proven: Option.some(proven) }
      })

      return Invitations.of({ invite, inviteTo, open, accept })
    })
  ).pipe(
    Layer.provide([
      InvitationsRepo.layer,
      InvitationMailsRepo.layer,
      MembersRepo.layer,
      OrganizationsRepo.layer,
      InvitationMail.layer,
      Users.layer
    ])
  )
}
