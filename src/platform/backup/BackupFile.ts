import { Data, Deferred, Effect, Option, Predicate, Stream } from "effect"
import { Decrypter, Encrypter } from "age-encryption"
import { createReadStream } from "node:fs"
import { access, open, rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createZstdCompress, createZstdDecompress, constants } from "node:zlib"
import { extract, pack } from "tar-stream"

export class BackupFileFailed extends Data.TaggedError("BackupFileFailed")<{ readonly message: string }> {}

/** A backup is encrypted by a passphrase, or for the owners of age keys. If neither is given, it is not encrypted. */
export interface Lock {
  readonly passphrase?: string | undefined
  /** Public keys of age (`age1...`). If only they are given, the machine that writes the backup cannot decrypt it. */
  readonly recipients: ReadonlyArray<string>
}

export interface Unlock {
  readonly passphrase?: string | undefined
  readonly identities: ReadonlyArray<string>
}

type Attributes = Readonly<Record<string, string>>

export interface BackupWriter {
  readonly add: <E>(
    entry: { readonly name: string; readonly size: number; readonly attributes?: Attributes },
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E | BackupFileFailed>
  /** Completes the file and moves it to its final name. */
  readonly finish: Effect.Effect<void, BackupFileFailed>
}

export interface BackupEntry {
  readonly name: string
  readonly size: number
  readonly attributes: Attributes
  /** The bytes of the entry, which must be read before the next entry. */
  readonly bytes: Stream.Stream<Uint8Array, BackupFileFailed>
}

const owner_only_file = 0o600
const age_header = "age-encryption.org/v1"
/** Prefix of our own fields in the headers of a tar file. */
const attribute_prefix = "INVOICING."

/**
 * Writes a backup as a tar file, compressed with Zstandard and, on request, encrypted with age. These are public
 * formats, so a backup can be read without this service: `age -d | zstd -d | tar t`.
 */
export const writeBackup = Effect.fn("BackupFile.write")(function* (file: string, lock: Lock) {
  const { path: unfinished, target } = yield* newFile(file)
  const tar = pack()
  const failure = yield* Deferred.make<never, BackupFileFailed>()
  const failed = unwritable(file)
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const written = isLocked(lock) ? pipeline(tar, zstd, encrypted(lock), target) : pipeline(tar, zstd, target)
  written.catch((cause: unknown) => Deferred.doneUnsafe(failure, Effect.fail(failed(cause))))
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      tar.destroy(null)
      await written.catch(() => undefined)
      await rm(unfinished, { force: true })
    })
  )

  const attempt = (run: () => Promise<unknown>) =>
    Effect.raceFirst(Effect.tryPromise({ try: run, catch: failed }), Deferred.await(failure))

  const writer: BackupWriter = {
    add: Effect.fnUntraced(function* ({ attributes = {}, name, size }, bytes) {
      const done = Promise.withResolvers<void>()
      const header = { name, size, pax: prefixed(attributes) }
      // A failed write destroys `tar`, which then refuses entries. `failure` has the reason for the failed write.
      const sink = yield* Effect.try({
        try: () => tar.entry(header, (error) => (error ? done.reject(error) : done.resolve())),
        catch: failed
      }).pipe(Effect.catch(() => Deferred.await(failure)))
      // A failed write also makes `sink` emit an error. Without a listener, the error would end the process.
      sink.on("error", done.reject)
      done.promise.catch(() => undefined)
      yield* Stream.runForEach(bytes, (chunk) =>
        attempt(() => new Promise<void>((next) => (sink.write(chunk) ? next() : sink.once("drain", () => next()))))
      )
      sink.end(null)
      yield* attempt(() => done.promise)
    }),
    finish: attempt(async () => {
      tar.finalize()
      await written
      // A rename would replace an older backup of this name. Creating an empty file first fails if there is one.
      await (await open(file, "wx", owner_only_file)).close()
      await rename(unfinished, file)
    }).pipe(Effect.asVoid)
  }
  return writer
})

const unwritable = (file: string) => (cause: unknown) =>
  new BackupFileFailed({ message: `The backup ${file} cannot be written: ${reasonOf(cause)}` })

/** An existing file is never replaced, because it may be another backup that is being written. */
const newFile = Effect.fnUntraced(function* (file: string) {
  const path = `${file}.unfinished`
  if (yield* Effect.promise(() => exists(file))) {
    return yield* new BackupFileFailed({ message: `${file} exists: choose another name.` })
  }
  if (yield* Effect.promise(() => exists(path))) {
    const message = `${path} exists: a backup is being written or was interrupted; in the latter case remove this file.`
    return yield* new BackupFileFailed({ message })
  }
  const handle = yield* Effect.tryPromise({ try: () => open(path, "wx", owner_only_file), catch: unwritable(file) })
  return { path, target: handle.createWriteStream({ flush: true }) }
})

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false
  )

const isLocked = ({ passphrase, recipients }: Lock) => passphrase !== undefined || recipients.length > 0

/** True for a public key of age; its checksum detects a typo. */
export const isRecipient = (text: string): boolean =>
  Option.isSome(Option.liftThrowable(() => new Encrypter().addRecipient(text))())

const encrypted = ({ passphrase, recipients }: Lock) =>
  async function* (source: AsyncIterable<Uint8Array>) {
    const encrypter = new Encrypter()
    if (passphrase !== undefined) encrypter.setPassphrase(passphrase)
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    yield* await encrypter.encrypt(webStream(source))
  }

/** Reads the entries of a backup in their order. Damage to the file is detected at the end at the latest. */
export const readBackup = (file: string, unlock: Unlock): Stream.Stream<BackupEntry, BackupFileFailed> => {
  const failed = (cause: unknown) => new BackupFileFailed({ message: explained(file, cause) })
  return Stream.unwrap(
    Effect.gen(function* () {
      const isEncrypted = yield* Effect.tryPromise({ try: () => startsWithAge(file), catch: failed })
      if (isEncrypted && unlock.passphrase === undefined && unlock.identities.length === 0) {
        const message = `${file} is encrypted: set --passphrase-file or --identity-file.`
        return yield* new BackupFileFailed({ message })
      }
      const tar = extract()
      const source = createReadStream(file)
      const zstd = createZstdDecompress()
      const read = isEncrypted ? pipeline(source, decrypted(unlock), zstd, tar) : pipeline(source, zstd, tar)
      read.catch((cause: Error) => tar.destroy(cause))
      yield* Effect.addFinalizer(() =>
        Effect.promise(async () => {
          source.destroy()
          await read.catch(() => undefined)
        })
      )
      return Stream.map(Stream.fromAsyncIterable(tar, failed), (entry): BackupEntry => {
        const { name, pax, size } = entry.header
        // Boundary: the package's types do not say that an entry consists of bytes.
        const content = entry as AsyncIterable<Uint8Array>
        return {
          name,
          size,
          attributes: unprefixed(pax),
          bytes: Stream.fromAsyncIterable(content, failed)
        }
      })
    })
  )
}

const decrypted = ({ identities, passphrase }: Unlock) =>
  async function* (source: AsyncIterable<Uint8Array>) {
    const decrypter = new Decrypter()
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
    for (const identity of identities) decrypter.addIdentity(identity)
    yield* await decrypter.decrypt(webStream(source))
  }

const startsWithAge = async (file: string) => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(age_header.length), 0, age_header.length, 0)
    return buffer.toString("latin1", 0, bytesRead) === age_header
  } finally {
    await handle.close()
  }
}

// Boundary: Node's type of a web stream lacks some methods of the global type, but age does not call them.
const webStream = (source: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(source, { objectMode: true })) as ReadableStream<Uint8Array>

const prefixed = (attributes: Attributes) =>
  Object.fromEntries(Object.entries(attributes).map(([key, value]) => [attribute_prefix + key, value]))

const unprefixed = (pax: unknown): Attributes =>
  Object.fromEntries(
    Object.entries(Predicate.isObject(pax) ? pax : {}).flatMap(([key, value]) =>
      key.startsWith(attribute_prefix) ? [[key.slice(attribute_prefix.length), String(value)]] : []
    )
  )

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Explains why a backup cannot be read. A failure of unknown cause means that the file is damaged. */
const explained = (file: string, cause: unknown) => {
  const reason = reasonOf(cause)
  if (/ENOENT|EACCES|EISDIR/.test(reason)) return `The backup ${file} cannot be read: ${reason}.`
  if (/no identity matched/.test(reason)) return `The passphrase or identity does not open ${file}.`
  return `The backup ${file} is damaged or cut off: ${reason}.`
}
