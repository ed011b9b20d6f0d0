import * as NodeServices from "@effect/platform-node/NodeServices"
import { describe, expect, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, FileSystem, Layer, Option } from "effect"
import { randomBytes } from "node:crypto"
import { AppConfig } from "../../../src/platform/config/AppConfig.ts"
import { SecretBox } from "../../../src/platform/crypto/SecretBox.ts"

const newKey = () => randomBytes(32).toString("base64")
const [first, second] = [newKey(), newKey()]

const layer = (env: Record<string, string>) =>
  SecretBox.layer.pipe(
    Layer.provide(AppConfig.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
    Layer.provide(NodeServices.layer)
  )

const boxWith = (env: Record<string, string>) => Effect.provide(SecretBox, layer(env))

const seal = (key: string, text: string, context: string) =>
  Effect.flatMap(boxWith({ SECRET_KEY: key }), (box) => box.seal(text, context))

/** Returns the text, or the reason why it cannot be opened. */
const open = (keys: string, sealed: string, context: string) =>
  Effect.flatMap(boxWith({ SECRET_KEY: keys }), (box) => box.open(sealed, context)).pipe(
    Effect.exit,
    Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : String(Cause.squash(exit.cause))))
  )

describe("SecretBox", () => {
  it.effect("opens what it sealed, of any length", () =>
    Effect.gen(function* () {
      for (const text of ["", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "€😀\u0000".repeat(1000)]) {
        const sealed = yield* seal(first, text, "webhook:7")
        expect(sealed).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/)
        expect(yield* open(first, sealed, "webhook:7")).toBe(text)
      }
    })
  )

  it.effect("names DATA_DIR when it can hold no key", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(boxWith({ DATA_DIR: "/dev/null" }))
      expect(message).toMatch(/^secret\.key in DATA_DIR \/dev\/null cannot be read or made\. /)
    })
  )

  it.effect("reveals neither the text nor that two texts are equal", () =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(Array.from({ length: 1000 }), () => seal(first, "whsec_secret", "webhook:7"))
      expect(new Set(all).size).toBe(1000)
      const nonces = all.map((sealed) => Buffer.from(sealed.split(".")[2] ?? "", "base64url").toString("hex", 0, 12))
      expect(new Set(nonces).size).toBe(1000)
      for (const sealed of all) expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("secret")
    })
  )

  it.effect("does not open for another context", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(first, "secret", "webhook:7")
      for (const context of ["webhook:8", "webhook:", "webhook:7 ", ""]) {
        expect(yield* open(first, sealed, context)).toContain("was changed, or belongs to another context")
      }
    })
  )

  it.effect("returns none for a text that was changed, belongs elsewhere or was made up", () =>
    Effect.gen(function* () {
      const box = yield* boxWith({ SECRET_KEY: first })
      const sealed = yield* box.seal("place", "list:7")
      expect(yield* box.tryOpen(sealed, "list:7")).toEqual(Option.some("place"))
      for (const [text, context] of [
        [sealed, "list:8"],
        [sealed.slice(0, -2), "list:7"],
        ["v1.000000000000.AAAA", "list:7"],
        ["", "list:7"]
      ] as const) {
        expect(yield* box.tryOpen(text, context)).toEqual(Option.none())
      }
    })
  )

  it.effect("does not open when one bit was changed, or its end is missing", () =>
    Effect.gen(function* () {
      const [version, id, content = ""] = (yield* seal(first, "secret", "webhook:7")).split(".")
      const bytes = Buffer.from(content, "base64url")
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        const sealed = `${version}.${id}.${changed.toString("base64url")}`
        expect(yield* open(first, sealed, "webhook:7")).toContain("was changed")
      }
      for (let length = 1; length < bytes.length; length++) {
        const sealed = `${version}.${id}.${bytes.subarray(0, length).toString("base64url")}`
        expect(yield* open(first, sealed, "webhook:7")).toContain("was changed")
      }
    })
  )

  it.effect("does not open with another key, even one that claims to be the right one", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(first, "secret", "webhook:7")
      expect(yield* open(second, sealed, "webhook:7")).toContain("SECRET_KEY has no key with the id")
      const [, id] = (yield* seal(second, "", "")).split(".")
      const [version, , content] = sealed.split(".")
      expect(yield* open(second, `${version}.${id}.${content}`, "webhook:7")).toContain("was changed")
      for (const text of ["", "secret", "v2.a.b", "v1..", "v1.a", sealed.replace("v1", "v2")]) {
        expect(yield* open(first, text, "webhook:7")).toContain("CannotOpen")
      }
    })
  )

  it.effect("seals with the first key and opens with each, so that a key can be replaced", () =>
    Effect.gen(function* () {
      const old = yield* seal(first, "old", "webhook:7")
      const rotated = `${second},${first}`
      const fresh = yield* seal(rotated, "fresh", "webhook:7")
      expect(yield* open(rotated, old, "webhook:7")).toBe("old")
      expect(yield* open(second, fresh, "webhook:7")).toBe("fresh")
      expect(yield* open(first, fresh, "webhook:7")).toContain("has no key")
    })
  )

  it.effect("names neither key nor text when it cannot open", () =>
    Effect.gen(function* () {
      const sealed = yield* seal(first, "secret-text", "webhook:7")
      for (const refused of [yield* open(first, sealed, "webhook:8"), yield* open(second, sealed, "webhook:7")]) {
        for (const secret of ["secret-text", first, second, sealed]) expect(refused).not.toContain(secret)
      }
    })
  )
})

describe("SECRET_KEY", () => {
  const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

  it.live("is replaced by a file of the data folder, which only the owner can read and which never changes", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = `${yield* folder}/data`
      const started = yield* Effect.all(
        Array.from({ length: 8 }, () => boxWith({ DATA_DIR })),
        {
          concurrency: "unbounded"
        }
      )
      const sealed = yield* Effect.forEach(started, (box) => box.seal("secret", "webhook:7"))
      const later = yield* boxWith({ DATA_DIR })
      expect(new Set(yield* Effect.forEach(sealed, (text) => later.open(text, "webhook:7")))).toEqual(
        new Set(["secret"])
      )
      expect(yield* files.readDirectory(DATA_DIR)).toEqual(["secret.key"])
      expect((yield* files.stat(`${DATA_DIR}/secret.key`)).mode & 0o777).toBe(0o600)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("stops the start when the file is damaged, or when it is missing in production", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* folder
      yield* files.writeFileString(`${DATA_DIR}/secret.key`, "c2hvcnQ=\n")
      const damaged = yield* Effect.flip(boxWith({ DATA_DIR }))
      expect(damaged.message).toBe(`${DATA_DIR}/secret.key must hold 32 bytes in base64.`)
      const production = { DATA_DIR, NODE_ENV: "production", DATABASE_URL: "postgres://localhost/a" }
      const missing = yield* Effect.flip(boxWith(production))
      expect(missing.message).toContain("SECRET_KEY must be set in production")
      yield* boxWith({ ...production, SECRET_KEY: first })
      for (const SECRET_KEY of ["short", `${first},short`, first.slice(1)]) {
        expect((yield* Effect.flip(boxWith({ SECRET_KEY }))).message).not.toContain(SECRET_KEY)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
