import { generateX25519Identity, identityToRecipient } from "age-encryption"
import { Effect, Stream } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { type Lock, readBackup, writeBackup } from "../../../src/platform/backup/BackupFile.ts"

const folder = mkdtempSync(join(tmpdir(), "invoicing-backup-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A backup that version 1.0.0 wrote with another library. */
const of_an_earlier_version =
  "KLUv/QRYPQkAskwpIzCLVgfDb2D/4A1Oxbssf9oelaPtzMN67QohybIIQkHFCBwJkbP94BMA7IM7cSfs3BaOWR2IgjNjlZBigKEIKAUIDGXBVQ" +
  "uL7ExGZsNAkdHKyMbywPfE/94liRvqg0H+vaYCEG+rqGTmE3Emo9KxxLr3b/fg4LQMoZuV89CGolk0NT6W27ITFCuFRGmt/3utm11zdu9rm22n" +
  "tZvYTpBciJIgigYBLyBAg5GCJNUB/Ss4EMhTqzs2YNURhAADlAIZXVfdWChcqSVMWgJLgxsbMDWrbgIDUGCMimYegLLpFFT1YGRUwcN+VjSmXo" +
  "9ZswIzCLIBUIkOO4gqgLMpBqOadSgYIBWUVCBnCgLtBYEZFHTE87DkUDjARIZx2CpomqF1nZsmEu8aXTwotS/9JAABAACZ6dhR"

const entriesOf = (file: string, identities: ReadonlyArray<string> = []) =>
  readBackup(file, { identities }).pipe(
    Stream.mapEffect(({ attributes, bytes, name, size }) =>
      Effect.map(Stream.mkString(Stream.decodeText(bytes)), (text) => ({ attributes, name, size, text }))
    ),
    Stream.runCollect,
    Effect.scoped,
    Effect.runPromise
  )

const entries = [
  { name: "header.json", size: 2, attributes: {}, text: "{}" },
  { name: "tables/invoices", size: 4, attributes: {}, text: "1\tA\n" },
  { name: "tables/empty", size: 0, attributes: {}, text: "" },
  {
    name: `objects/archive/1/${"a".repeat(64)}/${"b".repeat(64)}`,
    size: 1_000,
    attributes: { retain_until: "2030-01-01T00:00:00Z" },
    text: "x".repeat(1_000)
  }
]

const written = (file: string, lock: Lock) =>
  Effect.gen(function* () {
    const writer = yield* writeBackup(file, lock)
    for (const { text, ...entry } of entries) {
      yield* writer.add(entry, Stream.encodeText(Stream.fromIterable(text)))
    }
    yield* writer.finish
  }).pipe(Effect.scoped, Effect.runPromise)

it("a backup of an earlier version is read", async () => {
  const file = join(folder, "earlier.backup")
  writeFileSync(file, Buffer.from(of_an_earlier_version, "base64"))
  expect(await entriesOf(file)).toEqual(entries)
  rmSync(file)
})

it("a backup is read as it was written, entry by entry", async () => {
  const file = join(folder, "new.backup")
  await written(file, { recipients: [] })
  expect(await entriesOf(file)).toEqual(entries)
  rmSync(file)
})

it("an encrypted backup is read with its key, and a part of it is refused as damaged", async () => {
  const [file, cut] = [join(folder, "locked.backup"), join(folder, "cut.backup")]
  const identity = await generateX25519Identity()
  await written(file, { recipients: [await identityToRecipient(identity)] })
  expect(await entriesOf(file, [identity])).toEqual(entries)
  const bytes = readFileSync(file)
  for (const share of [0.5, 0.9]) {
    writeFileSync(cut, bytes.subarray(0, bytes.length * share))
    await expect(entriesOf(cut, [identity])).rejects.toThrow(/is damaged or cut off: /)
  }
  rmSync(file)
  rmSync(cut)
})

it("an entry whose bytes fail, or have another size than announced, fails the backup and leaves no file", async () => {
  const file = join(folder, "short.backup")
  const failed = (bytes: Stream.Stream<Uint8Array, string>) =>
    Effect.gen(function* () {
      const writer = yield* writeBackup(file, { recipients: [] })
      yield* writer.add({ name: "rows", size: 3 }, bytes)
      yield* writer.finish
    }).pipe(Effect.scoped, Effect.flip, Effect.runPromise)
  expect(await failed(Stream.fail("unreadable"))).toBe("unreadable")
  expect(await failed(Stream.succeed(new Uint8Array(2)))).toMatchObject({ _tag: "BackupFileFailed" })
  expect(readdirSync(folder)).toEqual([])
})

it("a backup that fails while it writes an entry ends with its reason, and leaves no file", async () => {
  const file = join(folder, "full.backup")
  // The invalid recipient makes the backup fail while it writes the entry, as a full disk would.
  const writing = Effect.gen(function* () {
    const writer = yield* writeBackup(file, { recipients: ["age1"] })
    const bytes = Stream.fromEffectRepeat(Effect.as(Effect.sleep("5 millis"), new Uint8Array(65_536))).pipe(
      Stream.take(100)
    )
    yield* writer.add({ name: "rows", size: 100 * 65_536 }, bytes)
    yield* writer.finish
  })
  const failure = await Effect.runPromise(Effect.scoped(Effect.flip(writing)))
  expect(failure.message).toContain(`The backup ${file} cannot be written: `)
  expect(readdirSync(folder)).toEqual([])
})
