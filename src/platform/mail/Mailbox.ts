import { Option } from "effect"
import { publicUrl, type Settings } from "../config/AppConfig.ts"
import type { MailAddress } from "./Mailer.ts"

/** Parses `Name <local@domain>` or `local@domain`, as in MAIL_FROM. A domain may have one label, such as localhost. */
export const parseMailbox = (text: string): Option.Option<MailAddress> => {
  const [, name, bracketed, bare] = mailbox.exec(text.trim()) ?? []
  const address = bracketed ?? bare
  if (address === undefined) return Option.none()
  return Option.some(name === undefined || name === "" ? { address } : { address, name })
}

/** The mailbox that sends all messages, from MAIL_FROM. */
export const senderOf = ({ mailFrom }: Pick<Settings, "mailFrom">): MailAddress =>
  Option.getOrElse(parseMailbox(mailFrom), () => ({ address: mailFrom }))

/** The part of a Message-ID after the @, which makes the ids of this installation unique. */
export const messageIdHost = (config: Settings): string => new URL(publicUrl(config)).hostname

const mailbox = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+)>|([^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+))$/u
