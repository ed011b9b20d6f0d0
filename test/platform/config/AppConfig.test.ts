import { ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { AppConfig } from "../../../src/platform/config/AppConfig.ts"

const settingsOf = (variables: Record<string, string>) =>
  AppConfig.pipe(
    Effect.provide(AppConfig.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))
  )

it("says which setting is wrong, and what it must be", async () => {
  const { message } = await Effect.runPromise(Effect.flip(settingsOf({ TRUSTED_PROXIES: "nonsense" })))
  expect(message).toBe("TRUSTED_PROXIES is invalid: must be networks such as 10.0.0.0/8.")
})

describe("SMTP_URL", () => {
  it.each([
    "http://user:hunter2@host",
    "smtp:",
    "smtp://",
    "smtp://user:hunter2@",
    "smtp://user:hunter2@host:99999",
    "smtp://?requireTLS=true",
    "mail.example.com:25"
  ])("refuses %s and does not print it", async (url) => {
    const { message } = await Effect.runPromise(Effect.flip(settingsOf({ SMTP_URL: url })))
    expect(message).toBe("SMTP_URL is invalid: must be smtp://host:port or smtps://host:port.")
  })

  it.each(["smtp://localhost", "smtps://user:hunter2@host:465", "smtp://[::1]:25?tls.rejectUnauthorized=false"])(
    "may be %s",
    async (url) => {
      expect((await Effect.runPromise(settingsOf({ SMTP_URL: url }))).smtpUrl._tag).toBe("Some")
    }
  )
})
