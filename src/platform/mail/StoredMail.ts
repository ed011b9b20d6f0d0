import { Context, Effect, FileSystem, Layer, Option, Path, type PlatformError } from "effect"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import { AppConfig } from "../config/AppConfig.ts"
import { keptMail } from "./MailerFolder.ts"
import { type MailContent, type MailHead, readMail } from "./MailReading.ts"

/** Maximum size of a header that is read; only a header with excessively long names is larger. */
const head_bytes_max = 16 * 1024
const name_pattern = /^\d{8}T\d{9}Z-[0-9a-f]{12}\.eml$/

interface KeptHead extends MailHead {
  readonly name: string
}

interface Kept {
  readonly content: MailContent
  /** The message as it would have been sent. */
  readonly bytes: Uint8Array
}

/** The messages that are kept in the data folder because no mail server is configured. */
export class StoredMail extends Context.Service<
  StoredMail,
  {
    /** False if mail goes to a server. */
    readonly isKept: boolean
    /** The newest message comes first. */
    readonly list: (request: PageRequest) => Effect.Effect<PageRows<KeptHead>>
    readonly find: (name: string) => Effect.Effect<Option.Option<Kept>>
  }
>()("invoicing/platform/mail/StoredMail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { dataDir, smtpUrl } = yield* AppConfig
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = keptMail(path, dataDir)
      const isSent = Option.isSome(smtpUrl)

      const head = Effect.fnUntraced(function* (name: string) {
        const file = yield* files.open(path.join(folder, name))
        const bytes = Option.getOrElse(yield* file.readAlloc(head_bytes_max), () => new Uint8Array())
        return { name, ...(yield* readMail(bytes)) }
      }, Effect.scoped)

      const list = Effect.fn("StoredMail.list")(function* (request: PageRequest) {
        if (isSent) return { rows: [], total: 0 }
        const names = (yield* unlessGone(files.readDirectory(folder))).pipe(Option.getOrElse(() => []))
        const kept = names.filter((name) => name_pattern.test(name)).toSorted((a, b) => (a < b ? 1 : -1))
        const shown = kept.slice(offsetOf(request), offsetOf(request) + limitOf(request))
        const rows = yield* Effect.forEach(shown, (name) => unlessGone(head(name)))
        return { rows: rows.flatMap(Option.toArray), total: kept.length }
      })

      const find = Effect.fn("StoredMail.find")(function* (name: string) {
        if (isSent || !name_pattern.test(name)) return Option.none()
        const bytes = yield* unlessGone(files.readFile(path.join(folder, name)))
        if (Option.isNone(bytes)) return Option.none()
        return Option.some({ bytes: bytes.value, content: yield* readMail(bytes.value) })
      })

      return StoredMail.of({ isKept: !isSent, list, find })
    })
  )
}

/** Returns None if the file no longer exists, because the operator may empty the folder at any time. */
const unlessGone = <A>(read: Effect.Effect<A, PlatformError.PlatformError>): Effect.Effect<Option.Option<A>> =>
  Effect.asSome(read).pipe(
    Effect.catchIf(
      (error) => error.reason._tag === "NotFound",
      () => Effect.succeedNone
    ),
    Effect.orDie
  )
