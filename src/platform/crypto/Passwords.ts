import { Context, Effect, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { refusal } from "../../kernel/Refusal.ts"
import { parsePhc, printPhc, type Argon2id } from "./Phc.ts"

/** NIST SP 800-63B, 5.1.1.2: length in Unicode code points. */
export const password_characters_min = 8
export const password_characters_max = 1024

/** Each hash keeps a core busy and holds 19 MiB: more at once would starve the API, not finish sooner. */
const hashing_max = 2
/** At 16 ms a hash the last one waits about half a second; whoever comes later is told to come back. */
const waiting_max = 64
/** Browsers that have logged in before have a turn of their own, so that guesses of strangers do not hold them up. */
const reserved_hashing_max = 1
const reserved_waiting_max = 16

/**
 * Of the two equally strong minima of OWASP ASVS 5.0 (appendix C) the one with less memory and CPU:
 * 19 MiB in 2 passes takes 16 ms, 46 MiB in 1 pass 40 ms.
 */
const current = { memory_kib: 19_456, passes: 2, parallelism: 1 }
const salt_bytes = 16
const tag_bytes = 32

/** When a client may try again that found too many passwords being checked. */
export const busy_seconds = 5

/** Too many log-ins at once: answer 503 and let the client repeat it. */
export class PasswordsBusy extends Schema.Error<PasswordsBusy>("PasswordsBusy")(refusal("PasswordsBusy", "busy"), {
  httpApiStatus: 503
}) {
  static of() {
    return new PasswordsBusy({ message: "Too many people are logging in. Please try again in a few seconds." })
  }
}

/** Whose password it is, as far as that is known before it has been checked. */
type Applicant = "known_device" | "anyone"

/** argon2id (RFC 9106) in PHC string format, with a limit on how many are computed at once. */
export class Passwords extends Context.Service<
  Passwords,
  {
    /** The string to store. The length is the caller's to check (`isAcceptablePassword`). */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, PasswordsBusy>
    /** `None` (no such user) takes as long as a wrong password, so that timing does not tell who exists. */
    readonly verify: (
      password: Redacted.Redacted,
      stored: Option.Option<string>,
      applicant?: Applicant
    ) => Effect.Effect<boolean, PasswordsBusy>
    /** True when the stored string was made with other parameters: hash again after a successful `verify`. */
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

      const bounded = <A>(computation: Effect.Effect<A>, applicant: Applicant) => {
        const { admitted, computing } = turns[applicant]
        // The thread pool cannot be interrupted, so a caller that goes away must not free the place early.
        return computing
          .withPermits(1)(Effect.uninterruptible(computation))
          .pipe(
            admitted.withPermitsIfAvailable(1),
            Effect.flatMap(Option.match({ onNone: () => PasswordsBusy.of(), onSome: Effect.succeed }))
          )
      }

      const hash = Effect.fn("Passwords.hash")(function* (password: Redacted.Redacted) {
        const salt = randomBytes(salt_bytes)
        const tag = yield* bounded(derive(password, { ...current, salt, tag_bytes }), "anyone")
        return printPhc({ ...current, salt, tag })
      })

      const verify = Effect.fn("Passwords.verify")(function* (
        password: Redacted.Redacted,
        stored: Option.Option<string>,
        applicant: Applicant = "anyone"
      ) {
        const known = Option.flatMap(stored, parsePhc)
        const { tag, ...parameters } = Option.getOrElse(known, () => nobody)
        const computed = yield* bounded(derive(password, { ...parameters, tag_bytes: tag.length }), applicant)
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

/** 8 to 1024 characters, none of which may be an unpaired surrogate. */
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

/** Compared with when there is no user: costs what a real hash costs, and no password has this tag. */
const nobody: Argon2id = { ...current, salt: randomBytes(salt_bytes), tag: randomBytes(tag_bytes) }

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

/**
 * NIST SP 800-63B, 5.1.1.2: the same characters typed on another keyboard must give the same bytes. An overlong
 * password, which no stored hash can match, is cut so that normalising it stays cheap.
 */
const normalized = (password: string) => password.slice(0, 2 * password_characters_max).normalize("NFKC")
