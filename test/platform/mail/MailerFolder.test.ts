import * as NodeServices from "@effect/platform-node/NodeServices"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger } from "effect"
import { Mailer, type MailMessage } from "../../../src/platform/mail/Mailer.ts"
import { mailerFolder } from "../../../src/platform/mail/MailerFolder.ts"
import { handling } from "./SmtpServers.ts"

const message: MailMessage = {
  from: { address: "invoicing@localhost", name: "Müller & Söhne" },
  to: { address: "ana@beta.eu" },
  subject: "Rechnung über 1.000 €",
  text: "Anbei.",
  html: "<p>Anbei.</p>",
  message_id: "invoice-1@acme.eu"
}

const kept = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = `${yield* files.makeTempDirectoryScoped()}/outbox`
  const answers = yield* Effect.gen(function* () {
    const mailer = yield* Mailer
    const first = yield* mailer.send(message, handling)
    yield* Effect.sleep(5)
    const second = yield* mailer.send({ ...message, message_id: "invoice-2@acme.eu" }, handling)
    return [first.answer, second.answer]
  }).pipe(Effect.provide(mailerFolder(folder)))
  const names = (yield* files.readDirectory(folder)).toSorted()
  const texts = yield* Effect.forEach(names, (name) => files.readFileString(`${folder}/${name}`))
  const modes = yield* Effect.forEach([".", ...names], (name) => files.stat(`${folder}/${name}`))
  return { answers, names, texts, modes: modes.map(({ mode }) => mode & 0o777) }
})

describe("Mailer into a folder", () => {
  it.live("keeps whole messages under names that sort by time, readable by the owner only", () =>
    Effect.gen(function* () {
      const { answers, modes, names, texts } = yield* kept
      expect(names).toHaveLength(2)
      for (const name of names) expect(name).toMatch(/^\d{8}T\d{9}Z-[0-9a-f]{12}\.eml$/)
      expect(answers).toEqual(names.map((name) => `kept as ${name}`))
      expect(texts[0]).toContain("Message-ID: <invoice-1@acme.eu>")
      expect(texts[1]).toContain("Message-ID: <invoice-2@acme.eu>")
      expect(modes).toEqual([0o700, 0o600, 0o600])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("writes messages as RFC 5322 and MIME require", () =>
    Effect.gen(function* () {
      const text = (yield* kept).texts[0] ?? ""
      expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
      for (const line of text.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998)
      const [header = ""] = text.split("\r\n\r\n")
      // oxlint-disable-next-line no-control-regex
      expect(header).toMatch(/^[\u0000-\u007f]+$/)
      for (const name of ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version"]) {
        expect(header.match(new RegExp(`^${name}: `, "gm"))).toHaveLength(1)
      }
      expect(header).toMatch(/^Subject: =\?UTF-8\?/m)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("reports a folder that cannot be written as unavailable", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const failed = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        yield* files.remove(folder, { recursive: true })
        return yield* Effect.flip(mailer.send(message, handling))
      }).pipe(Effect.provide([mailerFolder(folder), Logger.layer([])]))
      expect(failed._tag).toBe("MailUnavailable")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("says that the folder of the data cannot be written, when it stops the start", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(Effect.scoped(Layer.build(mailerFolder("/dev/null/outbox"))))
      expect(message).toContain(
        "The folder /dev/null/outbox cannot be made: the service must be able to write to DATA_DIR."
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("says that the disk may be read-only instead of that something was not found", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      // For a broken link, Node reports the same error as for a read-only disk.
      const link = `${yield* files.makeTempDirectoryScoped()}/data`
      yield* files.symlink("/proc/none/at/all", link)
      const { message } = yield* Effect.flip(Effect.scoped(Layer.build(mailerFolder(link))))
      expect(message).toBe(
        `The folder ${link} cannot be made: the service must be able to write to DATA_DIR. ` +
          "The disk is read-only, or a link is broken."
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
