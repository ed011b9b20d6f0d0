import { Option } from "effect"
import type { MailAddress } from "./Mailer.ts"

/** `Name <local@domain>` or `local@domain`, as in the setting MAIL_FROM. A domain of one label, like localhost, is fine. */
export const parseMailbox = (text: string): Option.Option<MailAddress> => {
  const [, name, bracketed, bare] = mailbox.exec(text.trim()) ?? []
  const address = bracketed ?? bare
  if (address === undefined) return Option.none()
  return Option.some(name === undefined || name === "" ? { address } : { address, name })
}

const mailbox = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+)>|([^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+))$/u
