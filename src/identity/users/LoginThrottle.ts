import { Context, Effect, Layer, Option, Result, Schedule } from "effect"
import { Hex } from "effect/encoding"
import { IpNetwork, NetAddress } from "effect/net"
import { isEmailAddress } from "../../kernel/EmailAddress.ts"
import { hashToken } from "../../platform/crypto/Opaque.ts"
import { readableAddress } from "../../platform/mail/AddressSpelling.ts"
import { LoginThrottleRepo } from "./LoginThrottleRepo.ts"
import { Devices } from "./Devices.ts"
import type { User } from "./User.ts"
import { LoginThrottled } from "./UserErrors.ts"

export interface LoginOrigin {
  /** The client's address; an IPv6 address counts as its /64 network. */
  readonly address: string
  /** Token of the browser's device cookie. */
  readonly device?: string | undefined
}

/** An attempt to log in. It counts as failed until `succeed` or `takeBack` is called. */
interface Attempt {
  /** The browser has logged in to this account before. */
  readonly isKnownDevice: boolean
  /** Reports that the password was not checked. */
  readonly takeBack: Effect.Effect<void>
  /** Reports that the password was correct. */
  readonly succeed: Effect.Effect<void>
}

interface Rule {
  /** Failures before the first delay, which is 1 second and doubles with each further failure. */
  readonly free_attempts: number
  readonly delay_seconds_max: number
  /** A request waits for the end of a delay of up to this length, and is refused if the delay is longer. */
  readonly patience_seconds: number
  readonly waits_max: number
  /** Failures are forgotten a day after the first or the latest of them. */
  readonly remembered_from: "first" | "latest"
}

const short_wait = { patience_seconds: 1, waits_max: 3 }

/**
 * Limits failures per address at all accounts together. Its limit is high, because an office may share one address: a
 * script with an old password fails 115 times a day (see `siteRule`), and must not delay the logins of the office.
 */
const addressRule: Rule = { free_attempts: 200, delay_seconds_max: 900, remembered_from: "first", ...short_wait }
/** Slows down guesses at an account from one site (see `siteOf`), but no user at another site. */
const siteRule: Rule = { free_attempts: 10, delay_seconds_max: 900, remembered_from: "latest", ...short_wait }
/** A site (see `siteOf`) with at most this many failed logins at an account within a day is a newcomer there. */
const newcomer_failures_max = 3
/**
 * Limits failures per account for all newcomers (sites with few failures at the account) together, to 300 + 17,280
 * guesses per day from any number of networks. The delay is short, because the owner of the account is also a newcomer
 * on a new network.
 */
const newcomersRule: Rule = {
  free_attempts: 300,
  delay_seconds_max: 5,
  patience_seconds: 5,
  waits_max: 6,
  remembered_from: "latest"
}
/** Limits failures per account for all sites together that are not newcomers, to 100 + 1,440 guesses per day. */
const returningRule: Rule = { free_attempts: 100, delay_seconds_max: 60, remembered_from: "latest", ...short_wait }

/** Limits wrong codes per account at the second step. Browsers that have logged in before are counted separately. */
const codeRule: Rule = { free_attempts: 5, delay_seconds_max: 900, remembered_from: "latest", ...short_wait }

const ipv6_site_bits = 48

/** An IPv6 address counts as its /48 network, because the owner of a /48 could guess from 65,536 /64 networks. */
const siteOf = (address: string): string => {
  const network = Result.getOrUndefined(IpNetwork.fromString(address))
  if (network === undefined || NetAddress.isIpv4Address(network.address)) return address
  return IpNetwork.format(IpNetwork.fromAddressUnsafe(network.address, ipv6_site_bits))
}

/** Keys are hashed, so that the database does not store email addresses that somebody merely typed. */
const keyOf = (kind: string, ...parts: ReadonlyArray<string>) => `${kind}:${Hex.encode(hashToken(parts.join(" ")))}`

/** Slows down guesses per account and network, across processes; known browsers have counts of their own. */
export class LoginThrottle extends Context.Service<
  LoginThrottle,
  {
    /** Counts the attempt before the password is checked, so that parallel guesses cannot exceed the limit together. */
    readonly attempt: (email: string, origin: LoginOrigin) => Effect.Effect<Attempt, LoginThrottled>
    /** Counts an attempt at the second step separately: a correct password must not allow more guesses at the code. */
    readonly attemptCode: (user: User, origin: LoginOrigin) => Effect.Effect<Pick<Attempt, "succeed">, LoginThrottled>
  }
>()("invoicing/identity/users/LoginThrottle") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* LoginThrottleRepo
      const devices = yield* Devices

      /** Counts this attempt as a failure, after the end of a short delay. */
      const count = (key: string, { patience_seconds, waits_max, ...rule }: Rule) =>
        Effect.gen(function* () {
          const counted = yield* repo.attempt({ key, ...rule })
          if (Option.isSome(counted)) {
            const { blocked_until, failures } = counted.value
            return { failures, takeBack: repo.takeBack({ key, blocked_until }) }
          }
          const { seconds } = yield* repo.secondsLeft(key)
          return yield* new LoginThrottled({ retry_after_seconds: seconds })
        }).pipe(
          Effect.retry({
            while: ({ retry_after_seconds }) => retry_after_seconds <= patience_seconds,
            schedule: Schedule.spaced("1 second"),
            times: waits_max
          })
        )

      /**
       * A refusal by the second count stays in the first one: a network must not be a newcomer again and again because
       * its attempts were refused.
       */
      const countAtAccount = Effect.fnUntraced(function* (account: string, siteKey: string) {
        const site = yield* count(siteKey, siteRule)
        const isNewcomer = site.failures <= newcomer_failures_max
        const shareKey = keyOf(isNewcomer ? "newcomers" : "returning", account)
        return { site, share: yield* count(shareKey, isNewcomer ? newcomersRule : returningRule) }
      })

      const attemptOfUnknownDevice = Effect.fnUntraced(function* (account: string, address: string) {
        const siteKey = keyOf("site", account, siteOf(address))
        const shared = yield* count(`address:${address}`, addressRule)
        // No password is checked after a refusal, so it must not use up the tries of others at the same address.
        const { share, site } = yield* countAtAccount(account, siteKey).pipe(Effect.onError(() => shared.takeBack))
        const takeBackShared = Effect.andThen(share.takeBack, shared.takeBack)
        return {
          isKnownDevice: false,
          takeBack: Effect.andThen(site.takeBack, takeBackShared),
          // Resets only this site's failures: a login must not allow more guesses at other accounts or from other
          // sites.
          succeed: Effect.andThen(repo.forget(siteKey), takeBackShared)
        }
      })

      const attempt = Effect.fn("LoginThrottle.attempt")(function* (email: string, { address, device }: LoginOrigin) {
        if (device === undefined || !isEmailAddress(email) || !(yield* devices.attempt(email, device))) {
          return yield* attemptOfUnknownDevice(readableAddress(email).toLowerCase(), address)
        }
        return { isKnownDevice: true, takeBack: devices.takeBack(device), succeed: devices.takeBack(device) }
      })

      const attemptCode = Effect.fn("LoginThrottle.attemptCode")(function* (
        { email, id }: User,
        { device }: LoginOrigin
      ) {
        if (device !== undefined && (yield* devices.attempt(email, device))) {
          return { succeed: devices.takeBack(device) }
        }
        const key = `code:${id}`
        yield* count(key, codeRule)
        return { succeed: repo.forget(key) }
      })

      return LoginThrottle.of({ attempt, attemptCode })
    })
  ).pipe(Layer.provide([LoginThrottleRepo.layer, Devices.layer]))
}
