import { Context, Effect, Layer, Option } from "effect"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken } from "../../platform/crypto/Opaque.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
import { mailFrame, mailLink, mailParagraph } from "../../platform/pages/MailFrame.ts"
import { languageOf } from "../../platform/pages/PageLanguage.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { messageIdHost, senderOf } from "../../platform/mail/Mailbox.ts"
import { Mailer, type MailUnavailable, type MailUnconfirmed } from "../../platform/mail/Mailer.ts"
import { Database } from "../../platform/sql/Database.ts"
import { memberEvent } from "../members/Member.ts"
import { MembersRepo } from "../members/MembersRepo.ts"
import { OrganizationsRepo } from "../profile/OrganizationsRepo.ts"
import type { Invitation } from "./Invitation.ts"
import { InvitationMailQueue, type InvitationMailJob } from "./InvitationMailQueue.ts"
import { invitation_days, InvitationsRepo } from "./InvitationsRepo.ts"
import { invitationTexts } from "./texts/InvitationTexts.ts"

export class InvitationMail extends Context.Service<
  InvitationMail,
  {
    /** Enqueues the mail with the invitation: no request waits for a mail server, and a rollback sends no mail. */
    readonly enqueue: (invitation: Invited, token: string) => Effect.Effect<void>
    /** Sends the mail; withdraws the invitation when the mail server refuses the address permanently. */
    readonly deliver: (job: InvitationMailJob) => Effect.Effect<void, MailUnavailable | MailUnconfirmed>
  }
>()("invoicing/organizations/invitations/InvitationMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* InvitationsRepo
      const members = yield* MembersRepo
      const organizations = yield* OrganizationsRepo
      const jobs = yield* Jobs
      const auditLog = yield* AuditLog
      const box = yield* SecretBox
      const mailer = yield* Mailer
      const config = yield* AppConfig
      const { transaction } = yield* Database
      const from = senderOf(config)
      const url = publicUrl(config)

      const enqueue = Effect.fn("InvitationMail.enqueue")(function* (invitation: Invited, token: string) {
        const { organization_id, user_id } = invitation
        const sealed_token = yield* box.seal(token, sealed_for(invitation))
        yield* jobs.offer(InvitationMailQueue, { organization_id, user_id, sealed_token })
      })

      const withdraw = Effect.fnUntraced(function* (
        hash: Uint8Array,
        { organization_id, user_id }: Invited,
        why: string
      ) {
        yield* organizations.lock(organization_id)
        const member = yield* members.find({ organization_id, user_id })
        const withdrawn = yield* repo.withdraw(hash)
        if (Option.isNone(member) || Option.isNone(withdrawn)) return
        const data = { user_id, reason: why }
        const events = [yield* memberEvent("member.deleted", member.value)]
        yield* auditLog.append({
          organization_id,
          actor: "system",
          action: "member.invitation_withdrawn",
          data,
          events
        })
      }, transaction)

      const deliver = Effect.fn("InvitationMail.deliver")(function* ({ sealed_token, ...invited }: InvitationMailJob) {
        yield* Effect.annotateCurrentSpan({ "user.id": invited.user_id })
        const token = yield* box.open(sealed_token, sealed_for(invited))
        const hash = hashToken(token)
        const invitation = Option.getOrUndefined(yield* repo.find(hash))
        // The invitation was accepted, withdrawn or replaced by another link meanwhile.
        if (invitation?.state !== "open") return
        const { contact_email, language } = Option.getOrThrow(yield* organizations.find(invited.organization_id))
        // The id comes from the token's hash: it is the same in every attempt and does not reveal the token.
        const id = Buffer.from(hash).toString("hex").slice(0, 32)
        yield* mailer
          .send(
            {
              from,
              to: { address: invitation.email },
              // A reply reaches the organization, not the operator of the installation.
              reply_to: contact_email === null ? undefined : { address: contact_email },
              message_id: `invitation-${id}@${messageIdHost(config)}`,
              language: languageOf(language),
              ...invitationMail({ ...invitation, language, link: `${url}/invitations/${token}` })
            },
            { organization_id: invited.organization_id }
          )
          .pipe(Effect.catchTag("MailRefused", ({ answer }) => withdraw(hash, invited, answer)))
      })

      return InvitationMail.of({ enqueue, deliver })
    })
  ).pipe(Layer.provide([InvitationsRepo.layer, MembersRepo.layer, OrganizationsRepo.layer]))
}

type Invited = Pick<Invitation, "organization_id" | "user_id">

/** Names the invitation for which the token is encrypted. The token cannot be decrypted for another invitation. */
const sealed_for = ({ organization_id, user_id }: Invited) => `invitation:${organization_id}:${user_id}`

interface Letter extends Pick<Invitation, "organization_name" | "role"> {
  readonly language: string
  readonly link: string
}

const invitationMail = (letter: Letter) => {
  const { language, link, organization_name: organization, role } = letter
  const texts = invitationTexts[languageOf(language)]
  const values = { organization, role: texts.roles[role], days: String(invitation_days) }
  const invited = fill(texts.invited, values)
  const validity = fill(texts.validity, values)
  const subject = fill(texts.subject, values)
  const closing = `${validity} ${texts.ignore}`
  return {
    subject,
    text: [invited, `${texts.follow}\n${link}`, closing, ""].join("\n\n"),
    html: mailFrame({
      language: languageOf(language),
      title: subject,
      body: html`${mailParagraph([invited])}${mailParagraph([texts.follow, mailLink(link)])}${mailParagraph([closing])}`
    }).markup
  }
}
