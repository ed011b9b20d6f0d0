import { ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { AppConfig, publicUrl } from "../../../src/platform/config/AppConfig.ts"

const settingsOf = (variables: Record<string, string>) =>
  AppConfig.pipe(
    Effect.provide(AppConfig.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))
  )

describe("an invalid value", () => {
  const key = "must be 32 bytes in base64, as `openssl rand -base64 32` prints them; commas separate several."
  const origin =
    "must be origins such as https://app.example.com, in lower case and without a path; leave it out to allow any."
  const public_url =
    "must be a URL such as https://invoices.example.com, with http:// or https://, and without a path, ?, # and a user."
  const yes_or_no = 'expected "true" | "yes" | "on" | "1" | "y" | "false" | "no" | "off" | "0" | "n".'

  it.each([
    ["TRUSTED_PROXIES", "nonsense", "must be networks such as 10.0.0.0/8."],
    ["SECRET_KEY", "abc", key],
    ["SIGNING_KEY", `${"A".repeat(43)}=,abc`, key],
    ["TRUSTED_SIGNING_KEYS", "abc", "must be public keys of 32 bytes in base64, comma-separated."],
    ["PUBLIC_URL", "ftp://example.com", public_url],
    ["PUBLIC_URL", "https://me:secret@example.com", public_url],
    ["PUBLIC_URL", "https://example.com/billing", public_url],
    ["PUBLIC_URL", "https://example.com/?a", public_url],
    ["PUBLIC_URL", "https://example.com/#a", public_url],
    ["PUBLIC_URL", "invoices.example.com", public_url],
    ["PUBLIC_URL", "localhost:3000", public_url],
    ["TIMESTAMP_URL", "tsa.example.com", "must be a URL with http:// or https://."],
    ["STORAGE_URL", "bucket", "must be s3://bucket?endpoint=https://host&region=name."],
    ["ADMIN_TOKEN", "short", "must be at least 32 ASCII characters without spaces."],
    ["ADMIN_TOKEN", " ".repeat(40), "must be at least 32 ASCII characters without spaces."],
    ["ADMIN_TOKEN", ` ${"a".repeat(32)}`, "must be at least 32 ASCII characters without spaces."],
    ["DATA_DIR", "/proc/1/data", "must be a folder on a disk."],
    ["DATA_DIR", "/tmp/../sys", "must be a folder on a disk."],
    ["CORS_ORIGINS", "app.example.com", origin],
    ["CORS_ORIGINS", "https://a.example.com,https://b.example.com/", origin],
    ["CORS_ORIGINS", "*", origin],
    ["MAIL_FROM", "Invoices", "must be one address, such as Acme <invoices@example.com>."],
    ["PEPPOL_SML_ZONE", "not a zone", "must be a DNS zone such as smp.example.com."],
    ["PEPPOL_DNS_SERVERS", "resolver", "must be addresses such as 192.0.2.53 or 192.0.2.53:5353."],
    ["NODE_ENV", "prod", 'expected "production" | "development" | "test".'],
    ["PORT", "abc", "must be a whole number in digits."],
    ["PORT", "0x10", "must be a whole number in digits."],
    ["PORT", "1e3", "must be a whole number in digits."],
    ["PORT", " 3000", "must be a whole number in digits."],
    ["PORT", "65536", "expected a value between 0 and 65535."],
    ["DATABASE_CONNECTIONS", "16.5", "must be a whole number in digits."],
    ["WEBHOOKS_TIME_SCALE", "1e-3", "must be a number such as 0.5."],
    ["ACCESS_LOG", "maybe", yes_or_no]
  ])("of %s (%s) is refused with what it must be", async (name, value, sentence) => {
    const { message } = await Effect.runPromise(Effect.flip(settingsOf({ [name]: value })))
    expect(message).toBe(`${name} is invalid: ${sentence}`)
  })
})

it("accepts each form of a list, and the access log of production", async () => {
  const settings = await Effect.runPromise(
    settingsOf({
      NODE_ENV: "production",
      CORS_ORIGINS: "https://app.example.com, capacitor://localhost,http://localhost:8080",
      PEPPOL_DNS_SERVERS: "192.0.2.53,192.0.2.53:5353,[2001:db8::1]:53,2001:db8::1",
      MAIL_FROM: "Acme, Inc. <invoices@example.com>"
    })
  )
  expect(settings.corsOrigins).toEqual(["https://app.example.com", "capacitor://localhost", "http://localhost:8080"])
  expect(settings.peppol.dnsServers).toHaveLength(4)
  expect([settings.accessLog, settings.production]).toEqual([true, true])
})

it.each([
  ["127.0.0.1", "http://localhost:3000"],
  ["books.example.com", "http://books.example.com:3000"],
  ["::1", "http://[::1]:3000"],
  ["::", "http://[::]:3000"]
])("without PUBLIC_URL, links of a server on HOST %s begin with %s", async (HOST, link) => {
  expect(publicUrl(await Effect.runPromise(settingsOf({ HOST })))).toBe(link)
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
