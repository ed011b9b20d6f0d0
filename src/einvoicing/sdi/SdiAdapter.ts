import { DateTime, Effect, Option, Redacted, Schema, SchemaTransformation, Stream } from "effect"
import { described } from "../../kernel/Described.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { certificatesIn, isValidAt } from "../../platform/crypto/signatures/Certificates.ts"
import { canSign } from "../../platform/crypto/signatures/CmsSigner.ts"
import { identityIn } from "../../platform/crypto/signatures/Pkcs12.ts"
import { openMailbox } from "../../platform/mail/account/ImapMailbox.ts"
import type { MailServer, MailServerDown } from "../../platform/mail/account/MailServer.ts"
import { checkSmtp } from "../../platform/mail/account/SmtpSubmission.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"
import { Database } from "../../platform/sql/Database.ts"
import { adapter } from "../providers/Adapter.ts"
import { NetworkRefused, NetworkUnavailable, type Provider } from "../providers/Provider.ts"
import { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { fatturaSigning } from "./FatturaSignature.ts"
import { type PecAccount, sdiMailbox } from "./SdiMailbox.ts"
import { sdiOutbox } from "./SdiOutbox.ts"
import { messageOf } from "./SdiProgress.ts"
import { SdiRepo } from "./SdiRepo.ts"

const trustedIn = Option.liftThrowable(certificatesIn)

const sdi_address_default = "sdi01@pec.fatturapa.it"
const folder_default = "INBOX"
const smtp_port_default = 465
const imap_port_default = 993

const Address = EmailAddress.pipe(Schema.decode(SchemaTransformation.toLowerCase()))
const Port = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const Security = Schema.Literals(["tls", "starttls", "none"])
const Password = Schema.RedactedFromValue(Schema.NonEmptyString)

const TrustList = Schema.String.check(
  Schema.makeFilter((pem) => Option.exists(trustedIn(pem), (list) => list.length > 0), {
    message: "must be certificates in PEM."
  })
)

const security_text = "`tls` from the first byte, `starttls`, or `none` on this machine. Default: `tls`."

const Settings = Schema.Struct({
  pec_address: described(Address, "Address of certified mail (PEC) of the organization."),
  sdi_address: described(
    Schema.optionalKey(Address),
    "Address that the SdI assigned to the organization if it has sent files before. " +
      `Default: ${sdi_address_default}, until the first receipt assigns another one.`
  ),
  smtp_host: described(Schema.NonEmptyString, "Name of the SMTP server."),
  smtp_port: described(Schema.optionalKey(Port), `Port of the SMTP server. Default: ${smtp_port_default}.`),
  smtp_security: described(Schema.optionalKey(Security), security_text),
  smtp_user: described(Schema.optionalKey(Schema.NonEmptyString), "User. Default: `pec_address`."),
  smtp_password: described(Password, "Password of the user."),
  imap_host: described(Schema.NonEmptyString, "Name of the IMAP server."),
  imap_port: described(Schema.optionalKey(Port), `Port of the IMAP server. Default: ${imap_port_default}.`),
  imap_security: described(Schema.optionalKey(Security), security_text),
  imap_user: described(Schema.optionalKey(Schema.NonEmptyString), "User. Default: `smtp_user`."),
  imap_password: described(Schema.optionalKey(Password), "Password of the user. Default: `smtp_password`."),
  imap_folder: described(
    Schema.optionalKey(Schema.NonEmptyString),
    `Folder with receipts and documents. Default: ${folder_default}.`
  ),
  trusted_certificates: described(
    Schema.optionalKey(TrustList),
    "Certificates (PEM) of the authorities that sign certified mail and documents. With them, mail that is signed by " +
      "others is ignored. Default: signatures are checked, but not against a trust list."
  ),
  signing_certificate: described(
    Schema.optionalKey(Schema.RedactedFromValue(Schema.NonEmptyString)),
    "PKCS#12 file (.p12, .pfx) in base64, with which files for public offices are signed. Default: each of them waits " +
      "until the organization uploads the signed file."
  ),
  signing_password: described(
    Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
    "Password of `signing_certificate`. Default: empty."
  ),
  environment: described(
    Schema.optionalKey(Schema.Literals(["production", "sandbox"])),
    "`sandbox` for a mailbox whose mail reaches no authority. Default: `production`."
  )
}).check(
  Schema.makeFilter(({ imap_host, imap_security, smtp_host, smtp_security }) => {
    const issue = "encrypts nothing, so only a server on this machine may have it."
    if (smtp_security === "none" && !isHere(smtp_host)) return { path: ["smtp_security"], issue }
    return imap_security === "none" && !isHere(imap_host) ? { path: ["imap_security"], issue } : undefined
  })
)
type Settings = typeof Settings.Type

const isHere = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")

/**
 * Connects an organization to the Sistema di Interscambio by certified mail (PEC), which needs no accreditation: files
 * are sent by SMTP; receipts and incoming documents are read by IMAP.
 */
export const sdiAdapter = Effect.gen(function* () {
  const repo = yield* SdiRepo
  const once = yield* SubmissionsOnce
  const polls = yield* extraPolls
  const { transaction } = yield* Database

  const connect = (organization_id: OrganizationId, settings: Settings): Provider => {
    const { imap, smtp } = serversOf(settings)
    const trusted = certificatesIn(settings.trusted_certificates ?? "")
    const account: PecAccount = {
      organization_id,
      address: settings.pec_address,
      imap,
      folder: settings.imap_folder ?? folder_default,
      trusted,
      sdi_address: settings.sdi_address ?? sdi_address_default
    }
    const mailbox = sdiMailbox({ repo, polls, transaction }, account)
    const outbox = sdiOutbox({ repo, once, smtp, mailbox }, account)

    const check = Effect.gen(function* () {
      const own = signerOf(settings)
      if (settings.signing_certificate !== undefined && Option.isNone(own)) return yield* refused(unreadable_key)
      const at_ms = (yield* DateTime.now).epochMilliseconds
      if (Option.exists(own, ({ certificate }) => !isValidAt(certificate, at_ms))) return yield* refused(expired_key)
      yield* checkSmtp(smtp)
      yield* openMailbox(imap, { name: account.folder, fields: [] })
    }).pipe(
      Effect.scoped,
      Effect.catchTag("MailServerDown", (error) => Effect.fail(unusable(error)))
    )

    const poll = Effect.fn("Sdi.poll")(function* (transmission_id: string) {
      const file = yield* repo.findFile({ organization_id, transmission_id })
      if (Option.isNone(file)) return []
      const receipts = yield* repo.receipts({ organization_id, transmission_id })
      return receipts.map((receipt) => messageOf(receipt, file.value.attempts))
    })

    const arrivals = Effect.gen(function* () {
      yield* mailbox.round
      const waiting = yield* repo.waiting(organization_id)
      return Stream.fromIterable(
        waiting.flatMap(({ at, content, reference }) =>
          content === null ? [] : [{ transmission_id: reference, organization_id, at, bytes: content, trusted }]
        )
      )
    }).pipe(Effect.withSpan("Sdi.arrivals"), Stream.unwrap)

    return {
      name: "SdI by certified mail (PEC)",
      environment: settings.environment ?? "production",
      offline: ["withdraw", "poll", "confirm", "respond"],
      check,
      // The SdI keeps no register of senders, so only the login has to work.
      enroll: () => check,
      update: () => check,
      withdraw: () => Effect.void,
      signing: fatturaSigning({ own: () => signerOf(settings), trusted }),
      submit: outbox.submit,
      poll,
      arrivals,
      confirm: ({ transmission_id: reference }) => repo.confirm({ organization_id, reference }),
      respond: () => refused(unanswerable)
    }
  }

  const account = ({ pec_address }: Settings) => pec_address
  return adapter({ code: "sdi_pec", network: "it_sdi", name: "SdI by PEC", settings: Settings, account, connect })
}).pipe(Effect.provide(SdiRepo.layer))

const refused = (message: string) => Effect.fail(new NetworkRefused({ code: "refused", message }))

const unreadable_key =
  "The signing certificate does not open with this password, has no RSA or EC key, or is encrypted in a way that is " +
  "no longer safe; export it again with AES."
const expired_key = "The signing certificate is currently not valid."

/** Opens the configured signing certificate. Returns none if there is no certificate, or if its key may not sign. */
const signerOf = ({ signing_certificate, signing_password }: Settings) =>
  signing_certificate === undefined
    ? Option.none()
    : identityIn(
        Buffer.from(Redacted.value(signing_certificate), "base64"),
        signing_password === undefined ? "" : Redacted.value(signing_password)
      ).pipe(Option.filter(({ key }) => canSign(key)))

const unanswerable =
  "The Sistema di Interscambio does not transmit answers between businesses; inform the supplier yourself."

const serversOf = (settings: Settings): { readonly smtp: MailServer; readonly imap: MailServer } => {
  const { imap_user, pec_address, smtp_password, smtp_user = pec_address } = settings
  return {
    smtp: {
      host: settings.smtp_host,
      port: settings.smtp_port ?? smtp_port_default,
      security: settings.smtp_security ?? "tls",
      user: smtp_user,
      password: smtp_password
    },
    imap: {
      host: settings.imap_host,
      port: settings.imap_port ?? imap_port_default,
      security: settings.imap_security ?? "tls",
      user: imap_user ?? smtp_user,
      password: settings.imap_password ?? smtp_password
    }
  }
}

/** A refused login means that the settings are wrong. */
const unusable = ({ isLogin, message }: MailServerDown) =>
  isLogin ? new NetworkRefused({ code: "refused", message }) : new NetworkUnavailable({ message })
