import { Data, Effect } from "effect"
import type { NaptrRecord } from "node:dns"
import { Resolver } from "node:dns/promises"

const timeout_ms = 2_000
const tries = 2

/** Error codes for a name that does not exist or has no NAPTR record. */
const absent = ["ENOTFOUND", "ENODATA"]

/** No name server answered, or the answer was a failure. */
class NamesUnavailable extends Data.TaggedError("NamesUnavailable")<{ readonly code: string }> {}

/** Reads NAPTR records (RFC 3403) from the given name servers, or from those of the system. */
export const naptrRecords = Effect.fnUntraced(function* (servers: ReadonlyArray<string>) {
  const resolver = new Resolver({ timeout: timeout_ms, tries })
  if (servers.length > 0) resolver.setServers(servers)
  yield* Effect.addFinalizer(() => Effect.sync(() => resolver.cancel()))
  return (name: string): Effect.Effect<ReadonlyArray<NaptrRecord>, NamesUnavailable> =>
    Effect.tryPromise({
      try: () => resolver.resolveNaptr(name),
      catch: (error) =>
        new NamesUnavailable({ code: error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN" })
    }).pipe(
      Effect.catchIf(
        ({ code }) => absent.includes(code),
        () => Effect.succeed([])
      ),
      Effect.withSpan("NaptrRecords.resolve", { attributes: { "dns.question.name": name } })
    )
})
