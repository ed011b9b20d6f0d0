import { Context, Effect, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { refusal } from "../../kernel/Refusal.ts"
import { parsePhc, printPhc, type Argon2id } from "./Phc.ts"

/** Lengths are counted in Unicode code points (NIST SP 800-63B, 5.1.1.2). */
export const password_characters_min = 8
export const password_characters_max = 1024

/** Each hash keeps a core busy and takes 19 MiB, so more at a time would starve the API without finishing sooner. */
const hashing_max = 2
/** At 16 ms per hash, the last caller waits for about half a second; further callers get a 503. */
const waiting_max = 64
/** This computation is reserved for browsers that have logged in before, so guessing attacks do not delay them. */
const reserved_hashing_max = 1
const reserved_waiting_max = 16

/** These parameters (OWASP ASVS 5.0, appendix C) take 16 ms per hash; those with 46 MiB and 1 pass take 40 ms. */
const current = { memory_kib: 19_456, passes: 2, parallelism: 1 }
const salt_bytes = 16
const tag_bytes = 32

/** Seconds after which a client may try again while too many passwords are being checked. */
export const busy_seconds = 5

export class PasswordsBusy extends Schema.Error<PasswordsBusy>("PasswordsBusy")(refusal("PasswordsBusy", "busy"), {
  httpApiStatus: 503
}) {
  static of() {
    return new PasswordsBusy({ message: "Too many people are logging in. Please try again in a few seconds." })
  }
}

/** `known_device` is a browser that has logged in to the account before. */
type Applicant = "known_device" | "anyone"

/** Hashes passwords with argon2id (RFC 9106, PHC string format) and limits how many are computed at the same time. */
export class Passwords extends Context.Service<
  Passwords,
  {
    /** Returns the string to store. The caller checks the length (`isAcceptablePassword`). */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, PasswordsBusy>
    /** Takes as long for `None` (no such user) as for a wrong password, so that timing does not reveal who exists. */
    readonly verify: (
      password: Redacted.Redacted,
      stored: Option.Option<string>,
      applicant?: Applicant
    ) => Effect.Effect<boolean, PasswordsBusy>
    /** True if a new hash would have other parameters; the caller then hashes again after a successful `verify`. */
    readonly needsRehash: (stored: string) => boolean
  }
>()("invoicing/platform/crypto/Passwords") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const turns = {
        anyone: yield* turnsOf(hashing_max, waiting_max),
        known_device: yield* turnsOf(reserved_hashing_max, reserved_waiting_max)
      }

      const limited = <A>(computation: Effect.Effect<A>, applicant: Applicant) => {
        const { admitted, computing } = turns[applicant]
        // A computation in the thread pool cannot be stopped. So it counts as running until the hash is computed.
        return computing
          .withPermits(1)(Effect.uninterruptible(computation))
          .pipe(
            admitted.withPermitsIfAvailable(1),
            Effect.flatMap(Option.match({ onNone: () => PasswordsBusy.of(), onSome: Effect.succeed }))
          )
      }

      const hash = Effect.fn("Passwords.hash")(function* (password: Redacted.Redacted) {
        const salt = randomBytes(salt_bytes)
        const tag = yield* limited(derive(password, { ...current, salt, tag_bytes }), "anyone")
        return printPhc({ ...current, salt, tag })
      })

      const verify = Effect.fn("Passwords.verify")(function* (
        password: Redacted.Redacted,
        stored: Option.Option<string>,
        applicant: Applicant = "anyone"
      ) {
        const known = Option.flatMap(stored, parsePhc)
        const { tag, ...parameters } = Option.getOrElse(known, () => unknown_user_hash)
        const computed = yield* limited(derive(password, { ...parameters, tag_bytes: tag.length }), applicant)
        return timingSafeEqual(computed, tag) && Option.isSome(known) && isAcceptablePassword(Redacted.value(password))
      })

      return Passwords.of({ hash, verify, needsRehash })
    })
  )
}

const turnsOf = (computing_max: number, waiting_max: number) =>
  Effect.all({
    admitted: Semaphore.make(computing_max + waiting_max),
    computing: Semaphore.make(computing_max)
  })

export const isAcceptablePassword = (password: string): boolean => {
  if (password.length > 2 * password_characters_max || !password.isWellFormed()) return false
  const characters = Array.from(password).length
  return characters >= password_characters_min && characters <= password_characters_max
}

const needsRehash = (stored: string): boolean =>
  Option.match(parsePhc(stored), {
    onNone: () => true,
    onSome: ({ memory_kib, parallelism, passes, salt, tag }) =>
      memory_kib !== current.memory_kib ||
      passes !== current.passes ||
      parallelism !== current.parallelism ||
      salt.length !== salt_bytes ||
      tag.length !== tag_bytes
  })

/**
 * This hash is checked when the user is unknown, which takes as long as for a known user. No password matches its
 * random tag.
 */
const unknown_user_hash: Argon2id = { ...current, salt: randomBytes(salt_bytes), tag: randomBytes(tag_bytes) }

type Derivation = Omit<Argon2id, "tag"> & { readonly tag_bytes: number }

const derive = (password: Redacted.Redacted, to: Derivation): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const parameters = {
      message: normalized(Redacted.value(password)),
      nonce: to.salt,
      memory: to.memory_kib,
      passes: to.passes,
      parallelism: to.parallelism,
      tagLength: to.tag_bytes
    }
    argon2("argon2id", parameters, (error, tag) => resume(error === null ? Effect.succeed(tag) : Effect.die(error)))
  })

/** The same characters give the same bytes (NIST SP 800-63B, 5.1.1.2). Truncates overlong passwords, to stay cheap. */
const normalized = (password: string) => password.slice(0, 2 * password_characters_max).normalize("NFKC")
