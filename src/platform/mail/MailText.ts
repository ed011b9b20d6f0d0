import { DateTime, Effect } from "effect"
import { isEmailAddress } from "../../kernel/EmailAddress.ts"
import { atFirstUse } from "../packages/AtFirstUse.ts"
import { MailRefused, type MailAddress, type MailAttachment, type MailMessage } from "./Mailer.ts"

const composing = atFirstUse("nodemailer/lib/mail-composer")

/** Maximum size of a message with its attachments in base64, which common mail servers accept. */
const message_bytes_max = 25 * 1024 * 1024

/**
 * Writes a message in the format of RFC 5322 with MIME and CRLF line ends. Fails for an address that no server would
 * accept, and above 25 MiB. Control characters in header fields become spaces, so that they cannot add a header or a
 * recipient.
 */
export const mailText = Effect.fnUntraced(function* (message: MailMessage) {
  if (!isEmailAddress(message.to.address)) {
    const answer = `${oneLine(message.to.address)} is not a valid email address.`
    return yield* new MailRefused({ code: "address_invalid", answer })
  }
  const now = yield* DateTime.now
  const { default: MailComposer } = composing()
  const composer = new MailComposer({
    from: mailbox(message.from),
    to: mailbox(message.to),
    replyTo: message.reply_to && mailbox(message.reply_to),
    subject: oneLine(message.subject),
    messageId: `<${oneLine(message.message_id)}>`,
    date: DateTime.toDateUtc(now),
    headers: {
      // Asks out-of-office programs not to reply (RFC 3834), because nobody reads their replies.
      "Auto-Submitted": "auto-generated",
      ...(message.language === undefined ? {} : { "Content-Language": oneLine(message.language) })
    },
    text: message.text,
    html: message.html,
    attachments: (message.attachments ?? []).map(attachment),
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true
  })
  const bytes = yield* Effect.promise(() => composer.compile().build())
  if (bytes.length > message_bytes_max) {
    const answer = `The message is larger than ${message_bytes_max} bytes.`
    return yield* new MailRefused({ code: "message_too_large", answer })
  }
  return bytes
})

export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

const mailbox = ({ address, name }: MailAddress) => ({ address: oneLine(address), name: oneLine(name ?? "") })

const attachment = ({ cid, content, content_type, filename }: MailAttachment) => ({
  filename: oneLine(filename),
  contentType: mediaType.test(content_type) ? content_type : "application/octet-stream",
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  ...(cid === undefined ? {} : { cid })
})

const mediaType = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/
