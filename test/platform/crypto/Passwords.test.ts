import { assert, describe, expect, it, layer } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted, Result } from "effect"
import { argon2Sync } from "node:crypto"
import { isAcceptablePassword, Passwords } from "../../../src/platform/crypto/Passwords.ts"

const secret = (text: string) => Redacted.make(text)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "")

layer(Passwords.layer, { excludeTestServices: true })("Passwords", (it) => {
  it.effect("verifies what it hashed and nothing else", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const stored = yield* passwords.hash(secret("correct horse"))
      expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      expect(yield* passwords.verify(secret("correct horse"), Option.some(stored))).toBe(true)
      expect(yield* passwords.verify(secret("correct horsf"), Option.some(stored))).toBe(false)
      expect(yield* passwords.verify(secret(""), Option.some(stored))).toBe(false)
    })
  )

  it.effect("salts, so that equal passwords have different hashes", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      expect(yield* passwords.hash(secret("correct horse"))).not.toBe(yield* passwords.hash(secret("correct horse")))
    })
  )

  it.effect("verifies strings made elsewhere with other parameters and requests a new hash", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const nonce = Buffer.alloc(16, 7)
      const parameters = { message: "correct horse", nonce, parallelism: 2, tagLength: 24, memory: 64, passes: 3 }
      const tag = argon2Sync("argon2id", parameters)
      const stored = `$argon2id$v=19$m=64,t=3,p=2$${base64(nonce)}$${base64(tag)}`
      expect(yield* passwords.verify(secret("correct horse"), Option.some(stored))).toBe(true)
      expect(yield* passwords.verify(secret("wrong horse"), Option.some(stored))).toBe(false)
      expect(passwords.needsRehash(stored)).toBe(true)
      expect(passwords.needsRehash(yield* passwords.hash(secret("correct horse")))).toBe(false)
    })
  )

  it.effect("accepts the same characters in another Unicode composition", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const stored = yield* passwords.hash(secret("cre\u0300me bru\u0302le\u0301e \ufb01n"))
      expect(yield* passwords.verify(secret("cr\u00e8me br\u00fbl\u00e9e fin"), Option.some(stored))).toBe(true)
    })
  )

  it.effect("accepts no password for a damaged or foreign string", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const strings = [
        "",
        "correct horse",
        "$2b$12$abcdefghijklmnopqrstuv",
        "$argon2id$v=19$m=1,t=1,p=9$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
      ]
      for (const stored of strings) {
        expect(yield* passwords.verify(secret("correct horse"), Option.some(stored))).toBe(false)
        expect(passwords.needsRehash(stored)).toBe(true)
      }
    })
  )

  it.effect("takes as long for an unknown user as for a wrong password", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const stored = Option.some(yield* passwords.hash(secret("correct horse")))
      const cpu = (of: Option.Option<string>) =>
        Effect.gen(function* () {
          const before = process.cpuUsage()
          for (let round = 0; round < 10; round++) yield* passwords.verify(secret("wrong horse"), of)
          return process.cpuUsage(before).user
        })
      yield* cpu(stored)
      const ratio = (yield* cpu(Option.none())) / (yield* cpu(stored))
      expect(ratio).toBeGreaterThan(0.5)
      expect(ratio).toBeLessThan(2)
    })
  )

  it.effect("refuses callers beyond the limit of the queue, and recovers", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const stored = Option.some("$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA")
      const attempts = Array.from({ length: 100 }, () =>
        Effect.result(passwords.verify(secret("correct horse"), stored))
      )
      const results = yield* Effect.all(attempts, { concurrency: "unbounded" })
      const busy = results.filter(Result.isFailure)
      expect(busy).toHaveLength(100 - 66)
      expect(busy[0]?.failure._tag).toBe("PasswordsBusy")
      expect(yield* passwords.verify(secret("correct horse"), stored)).toBe(false)
    })
  )

  it.effect("gives the places of disconnected callers to others", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const verify = passwords.verify(secret("correct horse"), Option.none())
      const waiting = yield* Effect.forEach(Array.from({ length: 66 }), () =>
        Effect.forkChild(verify, { startImmediately: true })
      )
      assert((yield* Effect.result(verify))._tag === "Failure")
      yield* Fiber.interruptAll(waiting)
      expect(yield* verify).toBe(false)
    })
  )
})

describe("isAcceptablePassword", () => {
  it("counts characters, not bytes or code units", () => {
    expect(isAcceptablePassword("1234567")).toBe(false)
    expect(isAcceptablePassword("12345678")).toBe(true)
    expect(isAcceptablePassword("😀".repeat(7))).toBe(false)
    expect(isAcceptablePassword("😀".repeat(1024))).toBe(true)
    expect(isAcceptablePassword("a".repeat(1025))).toBe(false)
    expect(isAcceptablePassword("\ud800 unpaired")).toBe(false)
  })
})
