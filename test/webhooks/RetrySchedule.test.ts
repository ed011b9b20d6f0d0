import { describe, expect, it } from "vitest"
import type { Reply } from "../../src/webhooks/deliveries/Attempt.ts"
import { pauseAfter } from "../../src/webhooks/deliveries/RetrySchedule.ts"

const reply = (response_status: number | null, retry_after?: string): Reply => ({
  response_status,
  response_body: null,
  duration_ms: 1,
  error: null,
  retry_after
})
const now_ms = Date.parse("2026-03-02T09:15:00Z")
const pause = (attempt: number, answer = reply(500), random = 0.5) =>
  pauseAfter({ attempt, reply: answer, random, now_ms })

const attempts = Array.from({ length: 12 }, (_, index) => index + 1)
const [second, minute, hour] = [1_000, 60_000, 3_600_000]

describe("pauseAfter", () => {
  it("makes 12 attempts over 97 hours", () => {
    const pauses = attempts.map((attempt) => pause(attempt))
    expect(pauses).toEqual([
      5 * second,
      minute,
      5 * minute,
      30 * minute,
      ...[2, 5, 10, 14, 20, 22, 24].map((hours) => hours * hour),
      null
    ])
    const total = pauses.reduce<number>((sum, next) => sum + (next ?? 0), 0)
    expect(Math.floor(total / hour)).toBe(97)
  })

  it("varies by a tenth in both directions", () => {
    for (const attempt of attempts.slice(0, -1)) {
      const middle = pause(attempt) ?? 0
      expect(pause(attempt, reply(500), 0)).toBeCloseTo(middle * 0.9)
      expect(pause(attempt, reply(500), 0.999_999_9)).toBeCloseTo(middle * 1.1, -1)
    }
  })

  it.each([
    ["seconds", "120", 120 * second],
    ["a date", "Mon, 02 Mar 2026 09:17:00 GMT", 120 * second],
    ["more than a day, which is a day", "999999", 24 * hour],
    ["less than the schedule, which stands", "1", 5 * second],
    ["a date that has passed", "Mon, 02 Mar 2020 09:17:00 GMT", 5 * second],
    ["nonsense", "soon", 5 * second],
    ["a negative number", "-5", 5 * second]
  ])("respects Retry-After of 429 and 503: %s", (_, retry_after, expected) => {
    expect(pause(1, reply(429, retry_after))).toBe(expected)
    expect(pause(1, reply(503, retry_after))).toBe(expected)
    expect(pause(1, reply(500, retry_after))).toBe(5 * second)
    expect(pause(12, reply(429, retry_after))).toBeNull()
  })
})
