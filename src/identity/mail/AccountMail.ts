import { Context, Effect, Layer, Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { messageIdHost, senderOf } from "../../platform/mail/Mailbox.ts"
import { type MailUnavailable, type MailUnconfirmed, Mailer } from "../../platform/mail/Mailer.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
import { mailFrame, mailLink, mailParagraph } from "../../platform/pages/MailFrame.ts"
import { languageOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import type { User } from "../users/User.ts"
import { EmailChangesRepo } from "../users/EmailChangesRepo.ts"
import { change_minutes } from "../users/MailedLink.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { PasswordResetsRepo, reset_minutes } from "../users/PasswordResetsRepo.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import { AccountMailQueue, type AccountMailJob } from "./AccountMailQueue.ts"
import type { Notice } from "./Notice.ts"

interface NoticeFacts {
  /** Language of the browser, for a user who has never logged in. */
  readonly language?: PageLanguage
  readonly detail?: string
  /** The former address, for the notice that it was replaced. */
  readonly to?: string
}

/** Mails links that set a password or confirm an address, and notices about changes of an account. */
export class AccountMail extends Context.Service<
  AccountMail,
  {
    /**
     * Enqueues the mail with a link, in the transaction that stores the link. With a new address, the link confirms it;
     * without one, the link sets a password.
     */
    readonly enqueueLink: (
      user_id: UserId,
      language: PageLanguage,
      token: string,
      new_address?: string
    ) => Effect.Effect<void>
    /** Enqueues a notice, in the transaction that stores the change. */
    readonly enqueueNotice: (user_id: UserId, notice: Notice, facts?: NoticeFacts) => Effect.Effect<void>
    readonly deliver: (job: AccountMailJob) => Effect.Effect<void, MailUnavailable | MailUnconfirmed>
  }
>()("invoicing/identity/mail/AccountMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const resets = yield* PasswordResetsRepo
      const changes = yield* EmailChangesRepo
      const jobs = yield* Jobs
      const box = yield* SecretBox
      const mailer = yield* Mailer
      const config = yield* AppConfig
      const from = senderOf(config)
      const url = publicUrl(config)

      const enqueueLink = Effect.fn("AccountMail.enqueueLink")(function* (
        user_id: UserId,
        language: PageLanguage,
        token: string,
        new_address?: string
      ) {
        const sealed_token = yield* box.seal(token, sealedFor(user_id))
        const to = new_address === undefined ? {} : { to: new_address }
        yield* jobs.offer(AccountMailQueue, { user_id, key: yield* newToken("mail"), language, sealed_token, ...to })
      })

      const enqueueNotice = Effect.fn("AccountMail.enqueueNotice")(function* (
        user_id: UserId,
        notice: Notice,
        { language = "en", ...detail }: NoticeFacts = {}
      ) {
        const key = yield* newToken("mail")
        yield* jobs.offer(AccountMailQueue, { user_id, key, language, sealed_token: null, notice, ...detail })
      })

      const isOpen = (token: string, to: string | undefined) =>
        Effect.map(
          to === undefined ? resets.find(hashToken(token)) : changes.find(hashToken(token)),
          Option.exists(({ state }) => state === "open")
        )

      const deliver = Effect.fn("AccountMail.deliver")(function* (job: AccountMailJob) {
        const { detail = "", key, notice = "password_changed", sealed_token, to, user_id } = job
        yield* Effect.annotateCurrentSpan({ "user.id": user_id })
        const user = Option.getOrThrow(yield* users.find(user_id))
        const token = sealed_token === null ? null : yield* box.open(sealed_token, sealedFor(user_id))
        // The link was used, or has expired, while the mail server was not available.
        if (token !== null && !(yield* isOpen(token, to))) return
        const language = languageOf((token === null ? user.language : null) ?? job.language)
        const letter =
          token === null
            ? noticeLetter(user, language, { notice, detail }, url)
            : to === undefined
              ? link(user, language, `${url}/reset/${token}`)
              : addressLink(user, language, `${url}/email/${token}`)
        yield* mailer
          .send(
            {
              from,
              to: { address: to ?? user.email },
              message_id: `${key}@${messageIdHost(config)}`,
              language,
              ...letter
            },
            { organization_id: null }
          )
          .pipe(
            // The refusal is only logged, with the reply of the mail server, because no sender waits for the result.
            Effect.catchTag("MailRefused", ({ answer }) =>
              Effect.logWarning("A mail about an account was refused", answer)
            )
          )
      })

      return AccountMail.of({ enqueueLink, enqueueNotice, deliver })
    })
  ).pipe(Layer.provide([UsersRepo.layer, PasswordResetsRepo.layer, EmailChangesRepo.layer]))
}

/** The context of the encryption, so that a token can be decrypted only for its user. */
const sealedFor = (user_id: UserId) => `password reset:${user_id}`

const link = ({ name }: User, language: PageLanguage, address: string) => {
  const texts = accountTexts[language].password
  const validity = fill(texts.validity, { minutes: String(reset_minutes) })
  return letterOf(language, texts.reset_subject, fill(texts.greeting, { name }), [
    { text: texts.follow, link: address },
    { text: `${validity} ${texts.ignore}` }
  ])
}

const addressLink = ({ name }: User, language: PageLanguage, address: string) => {
  const { email, password } = accountTexts[language]
  const validity = fill(password.validity, { minutes: String(change_minutes) })
  return letterOf(language, email.subject, fill(password.greeting, { name }), [
    { text: email.follow, link: address },
    { text: `${validity} ${email.ignore}` }
  ])
}

const noticeLetter = ({ name }: User, language: PageLanguage, { detail, notice }: Told, url: string) => {
  const texts = accountTexts[language].notices
  const { subject, text } = texts[notice]
  return letterOf(language, subject, fill(accountTexts[language].password.greeting, { name }), [
    { text: fill(text, { detail }) },
    // A former address gets no link for a password any more.
    ...(notice === "email_changed" ? [] : [{ text: texts.not_you, link: `${url}/forgot` }])
  ])
}

interface Told {
  readonly notice: Notice
  readonly detail: string
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
  html: mailFrame({
    language,
    title: subject,
    body: html`${mailParagraph([greeting])}${paragraphs.map(({ link, text }) =>
      mailParagraph(link === undefined ? [text] : [text, mailLink(link)])
    )}`
  }).markup
})
