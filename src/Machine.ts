import { Data, Effect, Layer, Option, Path } from "effect"
import { ClearanceStampsLive } from "./einvoicing/recording/ClearanceStampsLive.ts"
import { IssuedDocumentsLive } from "./einvoicing/recording/IssuedDocumentsLive.ts"
import { PeppolDirectory } from "./einvoicing/peppol/PeppolDirectory.ts"
import { ExpensedDocumentsLive } from "./einvoicing/received/expenses/ExpensedDocumentsLive.ts"
import { EmbeddedInvoiceLive } from "./einvoicing/files/EmbeddedInvoiceLive.ts"
import { BilledExpensesLive } from "./expenses/invoicing/BilledExpensesLive.ts"
import { AppConfig } from "./platform/config/AppConfig.ts"
import { Passwords } from "./platform/crypto/Passwords.ts"
import { SecretBox } from "./platform/crypto/SecretBox.ts"
import { Signer } from "./platform/crypto/Signer.ts"
import { TimestampAuthority } from "./platform/crypto/signatures/TimestampAuthority.ts"
import { Pdf } from "./platform/documents/pdf/Pdf.ts"
import { AuditLog } from "./platform/events/AuditLog.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"
import { keptMail, mailerFolder } from "./platform/mail/MailerFolder.ts"
import { mailerSmtp } from "./platform/mail/MailerSmtp.ts"
import { Outbound } from "./platform/outbound/Outbound.ts"
import { blobStoreDisk } from "./platform/storage/BlobStoreDisk.ts"
import { blobStoreS3 } from "./platform/storage/BlobStoreS3.ts"
import { Spool } from "./platform/storage/Spool.ts"
import { Database } from "./platform/sql/Database.ts"
import { ClientWebhooksLive } from "./webhooks/disconnections/ClientWebhooksLive.ts"

/** Sends mail through the configured server. Without one, mail is stored as files in the data folder. */
const MailerLive = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDir, production, smtpUrl } = yield* AppConfig
    if (Option.isSome(smtpUrl)) return mailerSmtp(smtpUrl.value)
    const folder = keptMail(yield* Path.Path, dataDir)
    // The folder accepts every message, so without this warning nobody would notice that customers receive no mail.
    if (production) yield* Effect.logWarning(`SMTP_URL is not set: mail is kept in ${folder} and not sent`)
    return mailerFolder(folder)
  })
)

/** Stores files in the configured object store. Without one, they are stored in the data folder. */
const BlobStoreLive = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDir, storageCredentials, storageUrl } = yield* AppConfig
    const path = yield* Path.Path
    if (Option.isNone(storageUrl)) return blobStoreDisk(path.join(dataDir, "objects"))
    if (Option.isNone(storageCredentials)) return yield* new StorageCredentialsMissing()
    return blobStoreS3(storageUrl.value, storageCredentials.value)
  })
)

class StorageCredentialsMissing extends Data.TaggedError("StorageCredentialsMissing") {
  override readonly message = "STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
}

/**
 * Services that check settings and need no database. A process builds them first: if a wrong setting were refused after
 * the migrations, the earlier version of the service could no longer start on the migrated database.
 */
export const BeforeDatabase = Layer.mergeAll(
  SecretBox.layer,
  BlobStoreLive,
  Layer.provideMerge(PeppolDirectory.layer, Outbound.layer)
)

/** Services that all other folders of `src` may use; they need a database connection and the configuration. */
const Platform = Layer.mergeAll(
  BeforeDatabase,
  Database.layer,
  AuditLog.layer,
  Jobs.layer,
  Passwords.layer,
  Signer.layer,
  TimestampAuthority.layer,
  MailerLive,
  Pdf.layer,
  Spool.layer
)

/** The services of `Platform`, and the services of billing and identity that other contexts implement. */
export const Machine = Layer.mergeAll(
  BilledExpensesLive,
  EmbeddedInvoiceLive,
  ExpensedDocumentsLive,
  ClearanceStampsLive,
  IssuedDocumentsLive,
  ClientWebhooksLive
).pipe(Layer.provideMerge(Platform))
