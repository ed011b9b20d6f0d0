import { Effect, Layer, Option, Path } from "effect"
import { AppConfig } from "./platform/config/AppConfig.ts"
import { Passwords } from "./platform/crypto/Passwords.ts"
import { Pdf } from "./platform/documents/Pdf.ts"
import { Journal } from "./platform/events/Journal.ts"
import { mailerFolder } from "./platform/mail/MailerFolder.ts"
import { mailerSmtp } from "./platform/mail/MailerSmtp.ts"
import { Database } from "./platform/sql/Database.ts"

/** Mail goes to the configured server; without one it is kept in the data folder. */
const MailerLive = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDir, smtpUrl } = yield* AppConfig
    const path = yield* Path.Path
    return Option.match(smtpUrl, { onNone: () => mailerFolder(path.join(dataDir, "outbox")), onSome: mailerSmtp })
  })
)

/** The parts of the platform that every context may use, over a database connection and the configuration. */
export const Machine = Layer.mergeAll(Database.layer, Journal.layer, Passwords.layer, MailerLive, Pdf.layer)
