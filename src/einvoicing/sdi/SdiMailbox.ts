import { DateTime, Duration, Effect, Option } from "effect"
import { timestampOf } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import {
  type Certificate,
  isTrusted,
  isValidAt,
  type SignatureCheck
} from "../../platform/crypto/signatures/Certificates.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { type OpenMailbox, openMailbox } from "../../platform/mail/account/ImapMailbox.ts"
import type { MailServer, MailServerDown } from "../../platform/mail/account/MailServer.ts"
import type { Database } from "../../platform/sql/Database.ts"
import type { extraPolls } from "../documents/ExtraPolls.ts"
import { NetworkUnavailable } from "../providers/Provider.ts"
import { shortIdentifier } from "../received/reading/StatedStatus.ts"
import { bare, type PecEnvelope, type PecReceipt, readPec } from "./PecMail.ts"
import { pecSignature } from "./PecSignature.ts"
import { readNotice, type SdiNotice } from "./SdiNotice.ts"
import type { SdiMessage, SdiRepo } from "./SdiRepo.ts"

/** Maximum number of messages that one round of reading fetches. The next round fetches the others. */
const messages_max = 50
/** Maximum number of rounds of reading. If more messages keep arriving, the reading counts as incomplete. */
const rounds_max = 20
/** Maximum size of a mail that is read. The mails of the SdI have at most 30 MB, so all of them are read. */
const mail_bytes_max = 40 * 1024 * 1024
/** The mailbox is read from the day before the connection, because the server may use another time zone. */
const lookback = Duration.days(1)
const reading_time_limit = "60 seconds"

const fields = ["message-id", "from", "reply-to", "x-ricevuta", "x-trasporto"]

const mail_type = "message/rfc822"
const xml_type = "application/xml"

export interface PecAccount {
  readonly organization_id: OrganizationId
  readonly address: string
  readonly imap: MailServer
  readonly folder: string
  /** Certificates of the authorities that are trusted to certify signers; empty without a trust list. */
  readonly trusted: ReadonlyArray<Certificate>
  /** The address to which the first file is sent. Mail from the domain of this address counts as mail of the SdI. */
  readonly sdi_address: string
}

interface Services {
  readonly repo: SdiRepo["Service"]
  readonly polls: Effect.Success<typeof extraPolls>
  readonly transaction: Database["Service"]["transaction"]
}

type Head = Effect.Success<ReturnType<OpenMailbox["after"]>>[number]
type Found = Omit<SdiMessage, "organization_id" | "message_id" | "position" | "at">

/** Reads the mailbox of an organization, and stores its receipts and incoming files in the database. */
export const sdiMailbox = ({ polls, repo, transaction }: Services, account: PecAccount) => {
  const { address, folder, imap, organization_id, sdi_address, trusted } = account
  const domain = sdi_address.slice(sdi_address.indexOf("@"))

  const aboutSentFile = Effect.fnUntraced(function* (notice: SdiNotice, file: { bytes: Uint8Array }) {
    const sent = yield* repo.findNamed({ organization_id, name: notice.file_name })
    const { code, id, reason, sdi_id } = notice
    const found = { ...nothing, code, reference: `${code}:${id}`, sdi_id, content: file.bytes, content_type: xml_type }
    const ignored = (why: string) => Effect.as(warn(why), { ...found, kind: "ignored" as const, reason: why })
    if (Option.isNone(sent))
      return yield* ignored(`The receipt ${code} is about ${notice.file_name}, which is unknown.`)
    const { sha256, transmission_id } = sent.value
    if (notice.sha256 !== null && notice.sha256 !== sha256) {
      return yield* ignored(`The receipt ${code} about ${notice.file_name} states another hash than the file has.`)
    }
    return { ...found, kind: "receipt" as const, transmission_id, reason }
  })

  const warn = (why: string) =>
    Effect.annotateLogs(Effect.logWarning(`a mail of the SdI is ignored: ${why}`), {
      "organization.id": organization_id
    })

  const ignored = (reason: string) =>
    Effect.as(warn(reason), [{ ...nothing, kind: "ignored" as const, code: "", reference: "", reason }])

  const ofSdi = Effect.fnUntraced(function* (mail: PecEnvelope) {
    const { files } = mail
    const read = files.map((file) => ({ file, notice: Option.getOrNull(readNotice(file.bytes)) }))
    const records: Array<Found> = []
    for (const { file, notice } of read) {
      if (notice === null || notice.code === incoming) continue
      const record = yield* aboutSentFile(notice, file)
      records.push(record)
      if (record.kind === "receipt") yield* repo.assign({ organization_id, sdi_address: assignedBy(mail, sdi_address) })
    }
    for (const { file, notice } of read) {
      if (notice !== null || !invoice_name.test(file.name)) continue
      const about = read.find((other) => other.notice?.code === incoming && other.notice.file_name === file.name)
      records.push({
        ...nothing,
        kind: "invoice",
        code: incoming,
        // If the SdI could not deliver a file, it sends the file again with the same identifier.
        reference: about?.notice?.sdi_id ?? sha256Hex(file.bytes),
        sdi_id: about?.notice?.sdi_id ?? null,
        content: file.bytes,
        metadata: about?.file.bytes ?? null
      })
    }
    if (records.length > 0) return records
    return yield* ignored("The mail holds neither a receipt nor a document that can be read.")
  })

  const ofProvider = Effect.fnUntraced(function* ({ about, error, id, subject, type }: PecReceipt, raw: Uint8Array) {
    const byId = yield* repo.findNamed({ organization_id, name: about })
    // The mail provider may have replaced the Message-ID, but the subject is still the name of the file.
    const sent = Option.isSome(byId) ? byId : yield* repo.findNamed({ organization_id, name: subject })
    if (Option.isNone(sent)) return []
    const { transmission_id } = sent.value
    const found = { ...nothing, kind: "receipt" as const, transmission_id, reason: error }
    return [{ ...found, code: type, reference: `PEC:${id}`, content: raw, content_type: mail_type }]
  })

  const recordsOf = Effect.fnUntraced(function* (mailbox: OpenMailbox, { at, header, size_bytes, uid }: Head) {
    if (size_bytes > mail_bytes_max) {
      return yield* ignored(`The mail has ${size_bytes} bytes, more than the ${mail_bytes_max} that are read.`)
    }
    const raw = yield* mailbox.source(uid)
    const signed = Option.getOrUndefined(pecSignature(raw))
    const mail = yield* readPec(signed?.content ?? raw, header("x-trasporto"))
    if (Option.isNone(mail)) return []
    const forgery = forgeryIn(signed?.check, trusted, at.epochMilliseconds)
    if (forgery !== null) return yield* ignored(forgery)
    if (mail.value.kind === "receipt") return header("x-ricevuta") === "" ? [] : yield* ofProvider(mail.value, raw)
    return mail.value.sender.endsWith(domain) ? yield* ofSdi(mail.value) : []
  })

  /** Stores the records of a mail all at once, because a mail of which one record is stored is not read again. */
  const keep = Effect.fnUntraced(function* (
    { at, message_id }: Pick<SdiMessage, "message_id" | "at">,
    records: ReadonlyArray<Found>
  ) {
    for (const [position, record] of records.entries()) {
      yield* repo.keep({ ...record, organization_id, message_id, position, at })
      if (record.transmission_id === null) continue
      const about = yield* repo.submission({ organization_id, transmission_id: record.transmission_id })
      if (Option.isSome(about)) yield* polls.enqueue(about.value, `${message_id}:${position}`)
    }
  }, transaction)

  const take = Effect.fnUntraced(function* (mailbox: OpenMailbox, head: Head) {
    if (!mayConcern(head, domain)) return
    const message_id = shortIdentifier(bare(head.header("message-id"))) || `uid-${mailbox.uid_validity}-${head.uid}`
    if ((yield* repo.isKnown({ organization_id, message_id })).known) return
    yield* keep({ message_id, at: timestampOf(head.at) }, yield* recordsOf(mailbox, head))
  })

  /** Reads the next messages; returns false when there may be more. */
  const round = Effect.gen(function* () {
    const mailbox = yield* openMailbox(imap, { name: folder, fields })
    const { uid_validity } = mailbox
    const day = DateTime.formatIsoDateUtc(DateTime.subtractDuration(yield* DateTime.now, lookback))
    const { last_uid, since } = yield* repo.mailbox({ organization_id, account: address, uid_validity, since: day })
    const heads = yield* mailbox.after(last_uid, since, messages_max)
    for (const head of heads) {
      yield* take(mailbox, head)
      yield* repo.advance({ organization_id, uid_validity, last_uid: head.uid })
    }
    return heads.length < messages_max
  }).pipe(
    Effect.scoped,
    Effect.catchTag("MailServerDown", ({ message }: MailServerDown) =>
      Effect.fail(new NetworkUnavailable({ message }))
    ),
    Effect.timeoutOrElse({
      duration: reading_time_limit,
      orElse: () => Effect.fail(new NetworkUnavailable({ message: "The IMAP server did not answer in time." }))
    }),
    Effect.withSpan("SdiMailbox.round")
  )

  const readAll = Effect.gen(function* () {
    for (let rounds = 0; rounds < rounds_max; rounds++) if (yield* round) return
    // An incomplete reading must not count as proof that a receipt is missing.
    return yield* new NetworkUnavailable({ message: "The mailbox holds too many new messages." })
  })

  return { round, readAll }
}

/**
 * Returns the reason to refuse the mail's signature, or null. Without a trust list, a missing signature and one that
 * cannot be checked are accepted.
 */
const forgeryIn = (
  check: SignatureCheck | undefined,
  trusted: ReadonlyArray<Certificate>,
  at_ms: number
): string | null => {
  if (check === undefined) return trusted.length === 0 ? null : "The certified mail is not signed."
  if (check.fits === null && trusted.length === 0) return null
  if (check.fits !== true) return check.reason
  const [signer] = check.certificates
  if (signer === undefined || !isValidAt(signer, at_ms)) return "The certificate of the mail's provider was not valid."
  return trusted.length === 0 || isTrusted(check.certificates, trusted, at_ms)
    ? null
    : "The signer of the certified mail has no certificate of a configured authority."
}

/** The message code of the metadata of an incoming file. */
const incoming = "MT"

const invoice_name = /^[A-Z]{2}[A-Z0-9]{2,28}_[A-Z0-9]{1,5}\.xml(?:\.p7m)?$/i

const nothing = {
  transmission_id: null,
  sdi_id: null,
  reason: null,
  content_type: xml_type,
  content: null,
  metadata: null
} satisfies Partial<Found>

/**
 * True for receipts of mail providers, and for certified mail from the domain of the SdI. Other mail is not downloaded.
 */
const mayConcern = ({ header }: Head, domain: string): boolean => {
  if (header("x-ricevuta") !== "") return true
  const sender = `${header("from")} ${header("reply-to")}`.toLowerCase()
  return header("x-trasporto") !== "" && sender.includes(domain)
}

/** Finds addresses in a text. The lengths of RFC 5321 limit the time for a hostile text. */
const addresses = /[\w.+-]{1,64}@[\w.-]{0,254}\w/g

/**
 * Returns the address for further files: the one in the text of the SdI's first receipt, or else the address from which
 * that receipt came.
 */
export const assignedBy = ({ sender, text }: PecEnvelope, first: string): string => {
  const domain = first.slice(first.indexOf("@"))
  const named = text.toLowerCase().match(addresses) ?? []
  return named.find((one) => one.endsWith(domain) && one !== first) ?? sender
}
