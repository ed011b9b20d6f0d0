import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { now } from "../../kernel/Calendar.ts"
import { signedContent, xmlText } from "../../platform/documents/XmlBytes.ts"
import type { MailServer } from "../../platform/mail/account/MailServer.ts"
import { letter, submitMail } from "../../platform/mail/account/SmtpSubmission.ts"
import {
  type Acceptance,
  type Exchange,
  NetworkRefused,
  NetworkUnavailable,
  type Transmission
} from "../providers/Provider.ts"
import { OutcomeUnknown, type SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { p7m_type } from "./FatturaSignature.ts"
import type { PecAccount, sdiMailbox } from "./SdiMailbox.ts"
import type { SdiRepo, SentFile } from "./SdiRepo.ts"

const xml_type = "application/xml"
const mail_type = "message/rfc822"
const reply_type = "text/plain"

/** Number of random letters and digits in a file name, so that the name is almost certainly free. */
const progressive_characters = 5
const names_tried = 3

interface Services {
  readonly repo: SdiRepo["Service"]
  readonly once: SubmissionsOnce["Service"]
  readonly smtp: MailServer
  readonly mailbox: ReturnType<typeof sdiMailbox>
}

/** Sends files to the Sistema di Interscambio by certified mail. */
export const sdiOutbox = ({ mailbox, once, repo, smtp }: Services, account: PecAccount) => {
  const { address, organization_id, sdi_address } = account

  const destination = repo
    .assigned({ organization_id, account: address })
    .pipe(Effect.map(Option.match({ onNone: () => sdi_address, onSome: (assigned) => assigned.sdi_address })))

  const mailOf = Effect.fnUntraced(function* ({ file_name, message_id, reserved_at }: SentFile, xml: Uint8Array) {
    const to = yield* destination
    const raw = yield* letter({
      from: address,
      to,
      subject: file_name,
      text: `File ${file_name}\n`,
      message_id,
      date: DateTime.toDateUtc(DateTime.makeUnsafe(reserved_at)),
      // This value requests a receipt of delivery with the hash of the attachment in place of the attachment.
      headers: { "X-TipoRicevuta": "breve" },
      file: { name: file_name, content_type: file_name.endsWith(p7m_suffix) ? p7m_type : xml_type, bytes: xml }
    })
    return { to, raw }
  })

  /** Every attempt uses the same name, so that the SdI refuses a file that it already has (error 00002). */
  const reserved = Effect.fnUntraced(function* ({ sha256, transmission_id, xml }: Transmission) {
    const { suffix, transmitter } = namingOf(xml)
    const domain = address.slice(address.indexOf("@") + 1)
    return yield* repo.reserve({
      organization_id,
      transmission_id,
      message_id: `${transmission_id}@${domain}`,
      sha256,
      reserved_at: yield* now,
      names: Array.from({ length: names_tried }, () => `IT${transmitter}_${randomProgressive()}${suffix}`)
    })
  })

  const send = (transmission: Transmission) =>
    Effect.gen(function* () {
      const { transmission_id, xml } = transmission
      const file = yield* reserved(transmission)
      const { raw, to } = yield* mailOf(file, xml)
      const unsent = repo.release({ organization_id, transmission_id })
      const answer = yield* submitMail(smtp, { from: address, to, raw }).pipe(
        Effect.tapError(({ _tag }) => (_tag === "MailUncertain" ? Effect.void : unsent)),
        Effect.catchTags({
          MailServerDown: ({ message }) => Effect.fail(new NetworkUnavailable({ message })),
          MailRejected: ({ message }) => Effect.fail(refusal(message, raw)),
          MailUncertain: ({ message }) => Effect.fail(new OutcomeUnknown({ message }))
        })
      )
      return { reference: file.file_name, at: yield* now, exchange: exchangeOf(raw, answer) }
    })

  /** Finds the first receipt about the mail, which proves that the mail provider has accepted the mail. */
  const recover = (transmission: Transmission) =>
    Effect.fnUntraced(function* () {
      const key = { organization_id, transmission_id: transmission.transmission_id }
      yield* mailbox.readAll
      const [trace] = yield* repo.receipts(key)
      const file = yield* repo.findFile(key)
      if (trace === undefined || Option.isNone(file)) return Option.none<Acceptance>()
      const { raw } = yield* mailOf(file.value, transmission.xml)
      const exchange = {
        request: { content_type: mail_type, bytes: raw },
        response: { content_type: trace.content_type, bytes: trace.content ?? new Uint8Array() }
      }
      return Option.some<Acceptance>({ reference: file.value.file_name, at: trace.at, exchange })
    })

  const submit = Effect.fn("SdiOutbox.submit")((transmission: Transmission) => {
    const key = { organization_id, transmission_id: transmission.transmission_id }
    return once.submit({ key, send: send(transmission), recover: recover(transmission) })
  })

  return { submit }
}

const xml_suffix = ".xml"
const p7m_suffix = ".xml.p7m"
const header_characters = 4_000
const transmitter_element = /<IdTrasmittente>\s*<IdPaese>IT<\/IdPaese>\s*<IdCodice>(\w+)<\/IdCodice>/

const namingOf = (xml: Uint8Array) => {
  const signed = signedContent(xml)
  const text = xmlText(Option.getOrElse(signed, () => xml)).slice(0, header_characters)
  const [, transmitter = ""] = transmitter_element.exec(text) ?? []
  return { transmitter, suffix: Option.isSome(signed) ? p7m_suffix : xml_suffix }
}

/** Returns a random number, because other programs or a restored backup may already have used consecutive ones. */
const randomProgressive = (): string => {
  const number = BigInt(`0x${SecureRandom.uuidV4Unsafe().replaceAll("-", "")}`) % 36n ** BigInt(progressive_characters)
  return number.toString(36).toUpperCase().padStart(progressive_characters, "0")
}

const exchangeOf = (raw: Uint8Array, answer: string): Exchange => ({
  request: { content_type: mail_type, bytes: raw },
  response: { content_type: reply_type, bytes: new TextEncoder().encode(answer) }
})

const refusal = (message: string, raw: Uint8Array) =>
  new NetworkRefused({ code: "refused", message, exchange: exchangeOf(raw, message) })
