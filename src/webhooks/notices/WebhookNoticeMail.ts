import { Effect, Layer, Option } from "effect"
import { Users } from "../../identity/users/Users.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { worker } from "../../platform/jobs/Jobs.ts"
import { messageIdHost, senderOf } from "../../platform/mail/Mailbox.ts"
import { Mailer, repeatedOnce } from "../../platform/mail/Mailer.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { html } from "../../platform/pages/Html.ts"
import { mailFrame, mailParagraph } from "../../platform/pages/MailFrame.ts"
import { languageOf } from "../../platform/pages/PageLanguage.ts"
import { kept_days } from "../events/Events.ts"
import { failing_days_max } from "../subscriptions/Webhook.ts"
import { WebhooksRepo } from "../subscriptions/WebhooksRepo.ts"
import { noticeTexts } from "./NoticeTexts.ts"
import { type WebhookNotice, WebhookNoticeQueue } from "./WebhookNoticeQueue.ts"
import { WebhookNotices } from "./WebhookNotices.ts"

/** Mails that a webhook was deactivated. */
const deliver = Effect.fn("WebhookNoticeMail.deliver")(function* (notice: WebhookNotice) {
  const webhooks = yield* WebhooksRepo
  const notices = yield* WebhookNotices
  const users = yield* Users
  const organizations = yield* Organizations
  const mailer = yield* Mailer
  const config = yield* AppConfig
  const { organization_id, reason, recipient, user_id, version, webhook_id } = notice
  yield* Effect.annotateCurrentSpan({ "webhook.id": webhook_id, "user.id": user_id })
  const webhook = Option.getOrUndefined(yield* webhooks.find({ organization_id, id: webhook_id }))
  // The webhook was activated, changed or deleted since. A later deactivation has a notice of its own.
  if (webhook === undefined || webhook.is_active || webhook.version !== version) return
  const user = Option.getOrThrow(yield* users.find(user_id))
  // The operator may have disabled the user after the notice was enqueued.
  if (user.disabled_at !== null) return yield* recipient === "creator" ? notices.enqueueForOwners(notice) : Effect.void
  const organization = yield* Effect.orDie(organizations.get(organization_id))
  const language = languageOf(user.language ?? organization.language)
  const texts = noticeTexts[language]
  const values = {
    // The path of the URL may contain a secret of the receiver.
    webhook: `${webhook_id} (${new URL(webhook.url).host})`,
    organization: organization.name,
    failing_days: failing_days_max,
    kept_days
  }
  const subject = fill(texts.subject, values)
  const paragraphs = [subject, texts[reason], texts.next].map((text) => fill(text, values))
  yield* mailer
    .send(
      {
        from: senderOf(config),
        to: { address: user.email },
        message_id: `webhook-${webhook_id}-${version}-${user_id}@${messageIdHost(config)}`,
        language,
        subject,
        text: [...paragraphs, ""].join("\n\n"),
        html: mailFrame({
          language,
          title: subject,
          body: html`${paragraphs.map((text) => mailParagraph([text]))}`
        }).markup
      },
      { organization_id }
    )
    .pipe(
      Effect.catchTag("MailRefused", ({ answer }) =>
        Effect.logWarning("A mail about a deactivated webhook was refused", answer)
      )
    )
})

export const WebhookNoticeWorker = worker(WebhookNoticeQueue, (notice, { attempt }) =>
  repeatedOnce(attempt)(deliver(notice))
).pipe(Layer.provide([WebhooksRepo.layer, WebhookNotices.layer, Users.layer, Organizations.layer]))
