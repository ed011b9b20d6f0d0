import { Context, Effect, Layer, Option } from "effect"
import type { Role } from "../../kernel/Role.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken } from "../../platform/crypto/Opaque.ts"
import { fill } from "../../platform/documents/Fill.ts"
import { html } from "../../platform/documents/Html.ts"
import { languageOf } from "../../platform/documents/PageLanguage.ts"
import { parseMailbox } from "../../platform/mail/Mailbox.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { InvitationRefused, InvitationUnsent } from "./Invitation.ts"
import { invitation_days } from "./InvitationsRepo.ts"
import { invitationTexts } from "./InvitationTexts.ts"

interface Addressed {
  readonly email: string
  readonly role: Role
  readonly organization_name: string
  readonly language: string
  readonly token: string
}

/** Writes to the invited person, in the language of the organization. */
export class InvitationMail extends Context.Service<
  InvitationMail,
  { readonly send: (invitation: Addressed) => Effect.Effect<void, InvitationRefused | InvitationUnsent> }
>()("invoicing/organizations/invitations/InvitationMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const mailer = yield* Mailer
      const config = yield* AppConfig
      const from = Option.getOrElse(parseMailbox(config.mailFrom), () => ({ address: config.mailFrom }))
      const url = publicUrl(config)

      const send = Effect.fn("InvitationMail.send")(
        function* ({ email, token, ...invitation }: Addressed) {
          // The same token gives the same id, and the id does not give the token away.
          const id = Buffer.from(hashToken(token)).toString("hex").slice(0, 32)
          yield* mailer.send({
            from,
            to: { address: email },
            message_id: `invitation-${id}@${new URL(url).hostname}`,
            language: languageOf(invitation.language),
            ...invitationMail({ ...invitation, link: `${url}/invitations/${token}` })
          })
        },
        (sent, { email }) =>
          Effect.catchTags(sent, {
            MailRefused: ({ answer }) => Effect.fail(InvitationRefused.of(email, answer)),
            MailUnavailable: () => Effect.fail(InvitationUnsent.of(email))
          })
      )

      return InvitationMail.of({ send })
    })
  )
}

const invitationMail = (invitation: Omit<Addressed, "email" | "token"> & { readonly link: string }) => {
  const { language, link, organization_name: organization, role } = invitation
  const texts = invitationTexts[languageOf(language)]
  const values = { organization, role: texts.roles[role], days: String(invitation_days) }
  const invited = fill(texts.invited, values)
  const validity = fill(texts.validity, values)
  return {
    subject: fill(texts.subject, values),
    text: [invited, `${texts.follow}\n${link}`, `${validity} ${texts.ignore}`, ""].join("\n\n"),
    html: html`<!doctype html>
      <html lang="${languageOf(language)}">
        <body style="font-family: sans-serif; line-height: 1.5">
          <p>${invited}</p>
          <p>${texts.follow}<br /><a href="${link}">${link}</a></p>
          <p>${validity} ${texts.ignore}</p>
        </body>
      </html>`.markup
  }
}
