import type { NodemailerError } from "nodemailer"
import { cut } from "../../kernel/Text.ts"
import { type MailFailure, MailRefused, MailUnavailable, MailUnconfirmed } from "./Mailer.ts"
import { oneLine } from "./MailText.ts"

const reply_characters_max = 500

const sentences = {
  address_invalid: "The mail server cannot deliver to this address.",
  message_too_large: "The message is larger than the mail server accepts.",
  sender_refused: "The mail server does not accept the sender's address.",
  mail_server_unreachable: "The mail server could not be reached.",
  mail_server_timeout: "The mail server did not answer in time."
} as const

/** Boundary: nodemailer rejects only with this error, but its types cannot say so. */
export const asNodemailerError = (error: unknown) => error as NodemailerError

/** `was_read` is true if the server may have received the whole message. */
export const smtpFailure = (error: NodemailerError, recipient: string, was_read: boolean): MailFailure => {
  const { code, command, response, responseCode } = error
  if (response === undefined || responseCode === undefined) {
    if (was_read) return MailUnconfirmed.of()
    if (code === "EMESSAGE") return refused("message_too_large")
    if (code === "EENVELOPE") return refused("address_invalid")
    return unavailable(code === "ETIMEDOUT" ? "mail_server_timeout" : "mail_server_unreachable")
  }
  // A refused greeting or login concerns this service, not the message.
  if (command !== "MAIL FROM" && command !== "RCPT TO" && command !== "DATA") {
    return unavailable("mail_server_unreachable")
  }
  const answer = withoutMachines(response, recipient)
  // Only replies from 500 to 599 are final (RFC 5321, 4.2.1).
  if (responseCode < 500) return new MailUnavailable({ code: "temporarily_refused", answer })
  if (command === "MAIL FROM") return unavailable("sender_refused")
  return new MailRefused({ code: isUnknownMailbox(response, command) ? "mailbox_unknown" : "rejected", answer })
}

const refused = (code: keyof typeof sentences) => new MailRefused({ code, answer: sentences[code] })
const unavailable = (code: keyof typeof sentences) => new MailUnavailable({ code, answer: sentences[code] })

/** Codes 5.1.x (RFC 3463) or, without such a code, 550, 551 and 553 are about the address (RFC 5321, 4.2.3). */
const isUnknownMailbox = (response: string, command: string): boolean => {
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  return enhanced === undefined ? command === "RCPT TO" && /^55[013]/.test(response) : enhanced.startsWith("5.1.")
}

/** Puts the server's reply on one line, without names and addresses of machines and without other mail addresses. */
export const withoutMachines = (reply: string, recipient: string): string => {
  const text = oneLine(cut(reply, reply_characters_max).replaceAll(/\n\d{3}[ -]?/g, " "))
  return text
    .split(" ")
    .map((word) => (isMachine(word, recipient) ? hidden : word))
    .join(" ")
}

const hidden = "[...]"

const isMachine = (word: string, recipient: string): boolean => {
  const bare = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")
  if (bare.toLowerCase() === recipient.toLowerCase()) return false
  return (
    bare.includes("@") ||
    /\d{1,3}(?:\.\d{1,3}){3}/.test(bare) ||
    /[\da-f]*:[\da-f]*:/i.test(bare) ||
    /^localhost\b|^[\w-]+:\d+$/i.test(bare) ||
    /[\p{L}\p{N}-]\.\p{L}[\p{L}\p{N}-]+/u.test(bare)
  )
}

/** `began` is true if the message got its turn at a connection. */
export const lateFailure = (began: boolean, was_read: boolean): MailFailure => {
  if (was_read) return MailUnconfirmed.of()
  return began ? unavailable("mail_server_timeout") : MailUnavailable.notAttempted()
}
