import { Array, Context, DateTime, Effect, Layer, Option } from "effect"
import { timestampOf } from "../../kernel/Calendar.ts"
import { bodySignature, standardSignature } from "../../platform/crypto/WebhookSignature.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import type { Message } from "../events/Event.ts"
import { type PreviousSecret, secretContext, stillSigning } from "../subscriptions/WebhookSecret.ts"
import { type Reply, unansweredReply } from "./Attempt.ts"

/** Time limit of one attempt, from connecting to the end of the response. */
const attempt_time_limit = "10 seconds"

/**
 * If the secret cannot be decrypted, the attempt is retried, so that nothing is lost if the secret is rotated in time.
 */
const unsigned = unansweredReply("The secret of this webhook can no longer be read. Rotate it.")

/** The address of a message, and the encrypted secrets that sign it. */
export interface Target {
  readonly organization_id: number
  readonly webhook_id: number
  readonly url: string
  readonly secret: string
  readonly previous_secrets: ReadonlyArray<PreviousSecret>
}

export class Sender extends Context.Service<
  Sender,
  { readonly send: (target: Target, message: Message, attempt: number) => Effect.Effect<Reply> }
>()("invoicing/webhooks/deliveries/Sender") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const box = yield* SecretBox

      const headersOf = Effect.fnUntraced(function* (target: Target, message: Message, attempt: number) {
        const { body } = message
        const context = secretContext(target.organization_id, target.webhook_id)
        const opened = yield* box.tryOpen(target.secret, context)
        if (Option.isNone(opened)) return Option.none()
        const secret = opened.value
        // Each attempt has its own timestamp, because receivers refuse a message whose timestamp is some minutes old.
        const at = yield* DateTime.now
        const seconds = Math.floor(at.epochMilliseconds / 1000)
        const signing = stillSigning(target.previous_secrets, timestampOf(at))
        const previous = yield* Effect.forEach(signing, ({ secret }) => box.tryOpen(secret, context))
        const signatures = [secret, ...Array.getSomes(previous)].map((key) =>
          standardSignature(key, message.id, seconds, body)
        )
        return Option.some({
          "content-type": "application/json; charset=utf-8",
          "user-agent": "Invoicing-Webhooks/1.0",
          "x-webhook-signature": bodySignature(secret, body),
          "x-webhook-id": message.id,
          "x-webhook-event": message.type,
          "x-webhook-timestamp": String(seconds),
          "x-webhook-attempt": String(attempt),
          "webhook-id": message.id,
          "webhook-timestamp": String(seconds),
          "webhook-signature": signatures.join(" ")
        })
      })

      const send = Effect.fnUntraced(function* (target: Target, message: Message, attempt: number) {
        const headers = yield* headersOf(target, message, attempt)
        if (Option.isNone(headers)) return unsigned
        return yield* outbound
          .post({ url: target.url, headers: headers.value, body: message.body, time_limit: attempt_time_limit })
          .pipe(
            Effect.map((answer): Reply => ({
              response_status: answer.status,
              response_body: answer.body,
              duration_ms: answer.duration_ms,
              error: null,
              retry_after: Option.getOrUndefined(answer.headers.retry_after)
            })),
            Effect.catchTag("OutboundFailed", ({ duration_ms, reason }) =>
              Effect.succeed(unansweredReply(reason, duration_ms))
            )
          )
      })

      return Sender.of({ send })
    })
  )
}
