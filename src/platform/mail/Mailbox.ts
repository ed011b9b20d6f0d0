import { Option } from "effect"
import type { MailAddress } from "./Mailer.ts"

/** Parses `Name <local@domain>` or `local@domain`, as in MAIL_FROM. A domain may have one label, such as localhost. */
export const parseMailbox = (text: string): Option.Option<MailAddress> => {
  const [, name, bracketed, bare] = mailbox.exec(text.trim()) ?? []
  const address = bracketed ?? bare
  if (address === undefined) return Option.none()
  return Option.some(name === undefined || name === "" ? { address } : { address, name })
}

const mailbox = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+)>|([^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+))$/u
