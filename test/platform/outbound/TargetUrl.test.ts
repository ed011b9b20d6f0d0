import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { hostile_hosts, hostile_names, hostile_urls } from "./HostileTargets.ts"
import { outbound } from "./Receivers.ts"

const refusalOf = (url: string) => Effect.map(Outbound, ({ refusal }) => Option.getOrUndefined(refusal(url)))

/** Returns each URL with its refusal, so that a failing test names the URL that was accepted. */
const refusals = (urls: ReadonlyArray<string>) =>
  Effect.forEach(urls, (url) => Effect.map(refusalOf(url), (sentence) => [url, sentence] as const))

describe("Outbound.refusal", () => {
  it.effect("refuses every spelling of a private address and every local name, whatever the port", () =>
    Effect.gen(function* () {
      const urls = [...hostile_hosts, ...hostile_names].flatMap((host) => [
        `https://${host}/hook`,
        `https://${host}:8443/`,
        `HTTPS://${host}?a=b`
      ])
      for (const [url, sentence] of yield* refusals(urls)) {
        expect([url, sentence]).toEqual([url, "The url field must name a host on the public internet."])
      }
    }).pipe(Effect.provide(outbound()))
  )

  it.effect("refuses them over http, too, where http is allowed", () =>
    Effect.gen(function* () {
      for (const [url, sentence] of yield* refusals(hostile_hosts.map((host) => `http://${host}/`))) {
        expect([url, sentence]).toEqual([url, "The url field must name a host on the public internet."])
      }
      expect(yield* refusalOf("http://example.com/hook")).toBeUndefined()
      expect(yield* refusalOf("ftp://example.com/")).toBe("The url field must be an http or https address.")
    }).pipe(Effect.provide(outbound({ WEBHOOKS_ALLOW_HTTP: "true" })))
  )

  it.effect("refuses every hostile URL in a sentence about it", () =>
    Effect.gen(function* () {
      expect(hostile_urls.length).toBeGreaterThanOrEqual(33)
      for (const [url, sentence] of yield* refusals(hostile_urls)) {
        expect([url, sentence]).toEqual([url, expect.stringMatching(/^The url field must .*\.$/)])
      }
      expect(yield* refusalOf("http://example.com/")).toBe("The url field must be an https address.")
      expect(yield* refusalOf("https://me@example.com/")).toBe("The url field must not contain credentials.")
      expect(yield* refusalOf("https://example.com/#a")).toBe("The url field must not contain a fragment.")
      expect(yield* refusalOf("https://example.com:22/")).toBe("The url field must not use port 22.")
    }).pipe(Effect.provide(outbound()))
  )

  it.effect("accepts what receivers use", () =>
    Effect.gen(function* () {
      const urls = [
        "https://example.com",
        "https://example.com/hooks/T0/B0/x?token=a%20b&c=@d",
        "https://example.com:8443/",
        "https://münchen.example.com/",
        "https://a_b.example.com/",
        "https://8.8.8.8/hook",
        "https://[2606:4700::1111]:8443/hook",
        "https://localhost.example.com/",
        "https://127.0.0.1.nip.io/",
        `https://example.com/${"a".repeat(2048 - "https://example.com/".length)}`
      ]
      for (const [url, sentence] of yield* refusals(urls)) expect([url, sentence]).toEqual([url, undefined])
    }).pipe(Effect.provide(outbound()))
  )
})

const start = (env: Record<string, string>) => Effect.flip(Effect.asVoid(Outbound).pipe(Effect.provide(outbound(env))))

describe("WEBHOOKS_ALLOWED_TARGETS", () => {
  const targets = { WEBHOOKS_ALLOWED_TARGETS: "127.0.0.1:5432, localhost:9000,[::1]:9001,hooks.internal:443" }

  it.effect("allows exactly these hosts and ports", () =>
    Effect.gen(function* () {
      const allowed = ["127.0.0.1:5432", "2130706433:5432", "localhost:9000", "[0::1]:9001", "hooks.internal"]
      for (const target of allowed)
        expect([target, yield* refusalOf(`https://${target}/a`)]).toEqual([target, undefined])
      const refused = [
        "127.0.0.1:5433",
        "127.0.0.2:5432",
        "127.0.0.1",
        "[::1]:9000",
        "a.localhost:9000",
        "hooks.internal:80"
      ]
      for (const target of refused) expect(yield* refusalOf(`https://${target}/`), target).toBeDefined()
      expect(yield* refusalOf("http://localhost:9000/")).toBe("The url field must be an https address.")
      expect(yield* refusalOf("https://me@localhost:9000/")).toBe("The url field must not contain credentials.")
    }).pipe(Effect.provide(outbound(targets)))
  )

  it.effect("stops the start in production, and when it is malformed", () =>
    Effect.gen(function* () {
      const production = yield* start({ ...targets, NODE_ENV: "production" })
      expect(production.message).toBe("WEBHOOKS_ALLOWED_TARGETS must not be set in production.")
      for (const wrong of ["localhost", "http://localhost:9000", "localhost:9000/a", "127.1:80", "a b:80"]) {
        expect((yield* start({ WEBHOOKS_ALLOWED_TARGETS: wrong })).message).toContain(`not "${wrong}"`)
      }
      yield* Effect.asVoid(Outbound).pipe(Effect.provide(outbound({ NODE_ENV: "production" })))
    })
  )
})
