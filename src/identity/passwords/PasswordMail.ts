import { Context, Effect, Layer, Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { newToken } from "../../platform/crypto/Opaque.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { parseMailbox } from "../../platform/mail/Mailbox.ts"
import { type MailUnavailable, type MailUnconfirmed, Mailer } from "../../platform/mail/Mailer.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
import { languageOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import type { User } from "../User.ts"
import { UsersRepo } from "../UsersRepo.ts"
import { PasswordMailQueue, type PasswordMailOrder } from "./PasswordMailQueue.ts"
import { reset_minutes } from "./PasswordResetsRepo.ts"
import { passwordTexts } from "./PasswordTexts.ts"

/** Mails links that set a password, and notices that a password was changed. */
export class PasswordMail extends Context.Service<
  PasswordMail,
  {
    /** Orders the mail with a link in the transaction that stores the link. */
    readonly orderLink: (user_id: UserId, language: PageLanguage, token: string) => Effect.Effect<void>
    /** Orders the notice in the transaction that stores the password. */
    readonly orderNotice: (user_id: UserId, language: PageLanguage) => Effect.Effect<void>
    readonly deliver: (order: PasswordMailOrder) => Effect.Effect<void, MailUnavailable | MailUnconfirmed>
  }
>()("invoicing/identity/passwords/PasswordMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const jobs = yield* Jobs
      const box = yield* SecretBox
      const mailer = yield* Mailer
      const config = yield* AppConfig
      const from = Option.getOrElse(parseMailbox(config.mailFrom), () => ({ address: config.mailFrom }))
      const url = publicUrl(config)

      const orderLink = Effect.fn("PasswordMail.orderLink")(function* (
        user_id: UserId,
        language: PageLanguage,
        token: string
      ) {
        const sealed_token = yield* box.seal(token, sealedFor(user_id))
        yield* jobs.offer(PasswordMailQueue, { user_id, key: yield* newToken("pwd"), language, sealed_token })
      })

      const orderNotice = Effect.fn("PasswordMail.orderNotice")(function* (user_id: UserId, language: PageLanguage) {
        yield* jobs.offer(PasswordMailQueue, { user_id, key: yield* newToken("pwd"), language, sealed_token: null })
      })

      const deliver = Effect.fn("PasswordMail.deliver")(function* (order: PasswordMailOrder) {
        const { key, sealed_token, user_id } = order
        yield* Effect.annotateCurrentSpan({ "user.id": user_id })
        const user = Option.getOrThrow(yield* users.find(user_id))
        const language = languageOf(order.language)
        const token = sealed_token === null ? null : yield* box.open(sealed_token, sealedFor(user_id))
        const letter = token === null ? notice(user, language, url) : link(user, language, `${url}/reset/${token}`)
        yield* mailer
          .send(
            {
              from,
              to: { address: user.email },
              message_id: `${key}@${new URL(url).hostname}`,
              language,
              ...letter
            },
            { organization_id: null }
          )
          .pipe(
            // The address is not the sender's choice, so nobody else can be told; the log says what the server answered.
            Effect.catchTag("MailRefused", ({ answer }) => Effect.logWarning("A password mail was refused", answer))
          )
      })

      return PasswordMail.of({ orderLink, orderNotice, deliver })
    })
  ).pipe(Layer.provide(UsersRepo.layer))
}

/** Binds the encrypted token to its user. */
const sealedFor = (user_id: UserId) => `password reset:${user_id}`

const link = ({ name }: User, language: PageLanguage, address: string) => {
  const texts = passwordTexts[language]
  const validity = fill(texts.validity, { minutes: String(reset_minutes) })
  return letterOf(language, texts.reset_subject, fill(texts.greeting, { name }), [
    { text: texts.follow, link: address },
    { text: `${validity} ${texts.ignore}` }
  ])
}

const notice = ({ name }: User, language: PageLanguage, url: string) => {
  const texts = passwordTexts[language]
  return letterOf(language, texts.changed_subject, fill(texts.greeting, { name }), [
    { text: texts.changed },
    { text: texts.not_you, link: `${url}/forgot` }
  ])
}

interface Paragraph {
  readonly text: string
  readonly link?: string
}

const letterOf = (language: PageLanguage, subject: string, greeting: string, paragraphs: ReadonlyArray<Paragraph>) => ({
  subject,
  text: [greeting, ...paragraphs.map(({ link, text }) => (link === undefined ? text : `${text}\n${link}`)), ""].join(
    "\n\n"
  ),
  html: html`<!doctype html>
    <html lang="${language}">
      <body style="font-family: sans-serif; line-height: 1.5">
        <p>${greeting}</p>
        ${paragraphs.map(
          ({ link, text }) =>
            html`<p>${text}${link === undefined ? null : html`<br /><a href="${link}">${link}</a>`}</p>`
        )}
      </body>
    </html>`.markup
})
