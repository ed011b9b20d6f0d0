import { Effect, Option } from "effect"
import type { Attachment, Email } from "postal-mime"
import { at, textAt, type XmlTree } from "../../platform/documents/XmlTree.ts"
import { xmlText } from "../../platform/documents/XmlBytes.ts"
import { atFirstUse } from "../../platform/packages/AtFirstUse.ts"
import { messageTree, shortIdentifier, shortStatus } from "../received/reading/StatedStatus.ts"

const postalMime = atFirstUse("postal-mime")

interface PecFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A receipt that a provider of certified mail gives to the sender of a mail. */
export interface PecReceipt {
  readonly kind: "receipt"
  /** E.g. `accettazione` or `avvenuta-consegna`. */
  readonly type: string
  /** The identifier that the provider gave to the receipt. */
  readonly id: string
  /** The Message-ID of the mail that the receipt is about. */
  readonly about: string
  /** The subject of the mail that the receipt is about. */
  readonly subject: string
  readonly error: string | null
}

/** A certified mail that the organization received. */
export interface PecEnvelope {
  readonly kind: "envelope"
  /** The address of the sender, which the sender's mail provider certifies. */
  readonly sender: string
  readonly text: string
  readonly files: ReadonlyArray<PecFile>
}

type PecMail = PecReceipt | PecEnvelope

const certificate_name = "daticert.xml"
const original_name = "postacert.eml"
const certified = "posta-certificata"

/**
 * Reads a certified mail (DM 2 November 2005, technical annex); none for any other or malformed mail. `mark` is the
 * header X-Trasporto, in which the recipient's mail provider confirms an envelope. A forged envelope lacks it.
 */
export const readPec = (raw: Uint8Array, mark: string): Effect.Effect<Option.Option<PecMail>> =>
  parsed(raw).pipe(
    Effect.flatMap((mail) => {
      const certificate = fileNamed(mail, certificate_name).pipe(
        Option.flatMap(({ bytes }) => messageTree(xmlText(bytes))),
        Option.filter(({ name }) => name === "postacert")
      )
      return Option.match(certificate, {
        onNone: () => Effect.succeedNone,
        onSome: (root) =>
          root.attributes["tipo"] === certified ? envelopeOf(mail, root, mark) : Effect.succeedSome(receiptOf(root))
      })
    }),
    Effect.orElseSucceed(() => Option.none<PecMail>())
  )

const parsed = (raw: Uint8Array) =>
  Effect.tryPromise(() => postalMime().default.parse(raw, { forceRfc822Attachments: true }))

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)

const filesOf = ({ attachments }: Email): ReadonlyArray<PecFile> =>
  attachments.map((attachment) => ({ name: attachment.filename ?? "", bytes: bytesOf(attachment) }))

const fileNamed = (mail: Email, name: string): Option.Option<PecFile> =>
  Option.fromUndefinedOr(filesOf(mail).find((file) => file.name.toLowerCase() === name))

const receiptOf = (root: XmlTree): PecReceipt => {
  const error = root.attributes["errore"] ?? "nessuno"
  const details = textAt(root, "dati", "errore-esteso")
  const reason = [error === "nessuno" ? undefined : error, details].filter((part) => part !== undefined).join(": ")
  const stated = shortStatus(root.attributes["tipo"] ?? "", reason === "" ? [] : [reason])
  return {
    kind: "receipt",
    type: stated.code,
    id: shortIdentifier(textAt(root, "dati", "identificativo") ?? ""),
    about: bare(textAt(root, "dati", "msgid") ?? ""),
    subject: textAt(root, "intestazione", "oggetto") ?? "",
    error: stated.reason
  }
}

export const bare = (message_id: string): string => message_id.trim().replace(/^<|>$/g, "")

const envelopeOf = (mail: Email, root: XmlTree, mark: string): Effect.Effect<Option.Option<PecMail>, unknown> => {
  const original = fileNamed(mail, original_name)
  if (mark.trim() !== certified || Option.isNone(original)) return Effect.succeedNone
  return Effect.map(parsed(original.value.bytes), (inner) =>
    Option.some({
      kind: "envelope",
      sender: (at(root, "intestazione", "mittente")?.text ?? "").trim().toLowerCase(),
      text: inner.text ?? "",
      files: filesOf(inner)
    })
  )
}
