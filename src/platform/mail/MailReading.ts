import { Effect } from "effect"
import type { Address, Email } from "postal-mime"
import { atFirstUse } from "../packages/AtFirstUse.ts"

const postalMime = atFirstUse("postal-mime")

export interface MailHead {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly date: string
}

export interface MailContent extends MailHead {
  readonly text: string
  readonly attachments: ReadonlyArray<{ readonly filename: string; readonly size_bytes: number }>
}

/** Reads a message that `mailText` wrote; `bytes` may end anywhere after the header if only the header is needed. */
export const readMail = (bytes: Uint8Array): Effect.Effect<MailContent> =>
  Effect.map(
    Effect.promise(() => postalMime().default.parse(bytes)),
    contentOf
  )

const contentOf = ({ attachments, date = "", from, subject = "", text = "", to = [] }: Email): MailContent => ({
  from: from === undefined ? "" : mailboxOf(from),
  to: to.map(mailboxOf).join(", "),
  subject,
  date,
  text,
  attachments: attachments
    .filter(({ disposition }) => disposition === "attachment")
    .map(({ content, filename }) => ({
      filename: filename ?? "",
      size_bytes: typeof content === "string" ? Buffer.byteLength(content) : content.byteLength
    }))
})

const mailboxOf = ({ address = "", name }: Address): string => (name === "" ? address : `${name} <${address}>`)
