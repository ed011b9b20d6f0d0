import { DateTime, Effect, FileSystem, Layer, Path } from "effect"
import { sha256Hex } from "../crypto/Digest.ts"
import { dataFolder } from "../storage/DataFolder.ts"
import { Mailer, MailUnavailable } from "./Mailer.ts"
import { mailText } from "./MailText.ts"

const owner_only_file = 0o600

/** Folder that keeps messages when no mail server is configured. */
export const keptMail = (path: Path.Path, dataDir: string): string => path.join(dataDir, "outbox")

/** Files `<time>-<hash of the message id>.eml`, sorted by time; `.eml` is added when the content is on disk. */
export const mailerFolder = (folder: string) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      yield* dataFolder(folder)

      const keep = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
        const unfinished = path.join(folder, `${name}.unfinished`)
        const file = yield* files.open(unfinished, { flag: "w", mode: owner_only_file })
        yield* file.writeAll(bytes)
        yield* file.sync
        yield* files.rename(unfinished, path.join(folder, name))
      }, Effect.scoped)

      const send: Mailer["Service"]["send"] = Effect.fn("Mailer.send")(function* (message, handling) {
        const bytes = yield* mailText(message)
        if (!(yield* handling.handOver ?? Effect.succeed(true))) return yield* MailUnavailable.notAttempted()
        const time = DateTime.formatIso(yield* DateTime.now).replace(/[-:.]/g, "")
        const name = `${time}-${sha256Hex(message.message_id).slice(0, 12)}.eml`
        yield* keep(name, bytes).pipe(
          Effect.tapError((error) => Effect.logError("A message could not be kept", error)),
          Effect.mapError(
            () =>
              new MailUnavailable({
                code: "mail_server_unreachable",
                answer: "The message could not be written to the outbox."
              })
          )
        )
        return { answer: `kept as ${name}` }
      })

      return Mailer.of({ send })
    })
  )
