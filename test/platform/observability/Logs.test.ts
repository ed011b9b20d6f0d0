import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import { logLine } from "../../../src/platform/observability/Logs.ts"
import { withoutTokens } from "../../../src/platform/observability/Redaction.ts"

const token = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v"

const printed = <A, E>(program: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    yield* program.pipe(Effect.provide(Logger.layer([Logger.map(logLine, (line) => void lines.push(line))])))
    return lines
  })

describe("logLine", () => {
  it.effect("is one line of JSON with the annotations under their own names", () =>
    Effect.gen(function* () {
      const lines = yield* printed(
        Effect.logWarning("two\nlines").pipe(Effect.annotateLogs({ request_id: "r-1", organization_id: 7 }))
      )
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toContain("\n")
      expect(JSON.parse(lines[0] ?? "")).toEqual({
        time: "1970-01-01T00:00:00.000Z",
        level: "warn",
        message: "two\nlines",
        request_id: "r-1",
        organization_id: 7
      })
    })
  )

  it.effect("carries the cause of a failure, cut to a limit and without tokens", () =>
    Effect.gen(function* () {
      const cause = Cause.die(new Error(`No document behind oat_${token}. ${"x ".repeat(20_000)}`))
      const [line = ""] = yield* printed(Effect.logError("unhandled failure", cause))
      expect(line).toContain("No document behind REDACTED")
      expect(line.length).toBeLessThan(20_000)
    })
  )

  it.effect("has a text as its message, whatever else was logged, and no ids of a span that is not traced", () =>
    Effect.gen(function* () {
      const refused = Effect.logError("storage failed", { _tag: "Refused", status: 403 }).pipe(
        Effect.withSpan("Store.put"),
        Effect.withTracerEnabled(false)
      )
      const [line = ""] = yield* printed(refused)
      expect(JSON.parse(line)).toEqual({
        time: "1970-01-01T00:00:00.000Z",
        level: "error",
        message: "storage failed",
        details: [{ _tag: "Refused", status: 403 }]
      })
    })
  )

  it.effect("prints values that JSON has no form for", () =>
    Effect.gen(function* () {
      const loop: Record<string, unknown> = { big: 10n }
      loop["self"] = loop
      const [line = ""] = yield* printed(Effect.logInfo("odd", loop))
      expect(JSON.parse(line)).toMatchObject({ message: "odd", details: [{ big: "10n" }] })
    })
  )
})

describe("withoutTokens", () => {
  it("removes tokens with and without prefix and nothing else", () => {
    expect(withoutTokens(`/d/${token}/pdf`)).toBe("/d/REDACTED/pdf")
    expect(withoutTokens(`Bearer oat_${token}, ort_${token}`)).toBe("Bearer REDACTED, REDACTED")
    for (const kept of [
      "4b3b3c0e-1b1f-4a2e-9d2b-0a9f1c2d3e4f",
      "a".repeat(64),
      "0af7651916cd43dd8448eb211c80319c",
      ""
    ]) {
      expect(withoutTokens(kept)).toBe(kept)
    }
  })
})
