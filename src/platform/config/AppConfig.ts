import { Config, Context, Data, Effect, Layer, Option, Redacted, Result, Schema, SchemaIssue } from "effect"
import { IpNetwork } from "effect/net"
import { isIP, isIPv6 } from "node:net"
import { availableParallelism } from "node:os"
import { resolve } from "node:path"

const SmtpUrl = Schema.String.check(
  Schema.makeFilter((text) => isSmtp(URL.parse(text)), { message: "must be smtp://host:port or smtps://host:port." })
)

const isNameServer = (entry: string): boolean => {
  const [, bracketed, plain, port = "53"] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
  return isIP(bracketed ?? plain ?? entry) !== 0 && Number(port) > 0 && Number(port) < 65_536
}

const isSmtp = (url: URL | null): boolean =>
  url !== null && ["smtp:", "smtps:"].includes(url.protocol) && url.hostname !== ""

export const urlSetting = (isAllowed: (url: URL) => boolean, message: string) =>
  Schema.String.check(Schema.makeFilter((text) => URL.canParse(text), { message })).pipe(
    Schema.decodeTo(Schema.URLFromString.check(Schema.makeFilter(isAllowed, { message })))
  )

export const isHttp = ({ hostname, protocol }: URL): boolean => /^https?:$/.test(protocol) && hostname !== ""

const hasEndpoint = ({ searchParams }: URL): boolean => {
  const endpoint = searchParams.get("endpoint")
  return endpoint === null || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")
}

const StorageUrl = urlSetting(
  (url) => url.protocol === "s3:" && url.hostname !== "" && hasEndpoint(url),
  "must be s3://bucket?endpoint=https://host&region=name."
)

const TimestampUrl = urlSetting(isHttp, "must be a URL with http:// or https://.")

const mail_from_default = "Invoicing <invoicing@localhost>"

/** The token is sent in an HTTP header, which cannot carry every character and loses surrounding spaces. */
const AdminToken = Schema.String.check(
  Schema.isPattern(/^[!-~]{32,}$/, { message: "must be at least 32 ASCII characters without spaces." })
)

/** Creating a folder below `/proc` or `/sys` fails, or never returns. */
const DataDir = Schema.String.check(
  Schema.makeFilter((folder) => !/^\/(?:proc|sys)(?:\/|$)/.test(resolve(folder)), {
    message: "must be a folder on a disk."
  })
)

const listOf = (isEntry: (entry: string) => boolean, message: string) =>
  Schema.String.check(Schema.makeFilter((text) => list(text).every(isEntry), { message }))

const is_key = /^[A-Za-z0-9+/]{43}=$/
const Keys = listOf(
  (key) => is_key.test(key),
  "must be 32 bytes in base64, as `openssl rand -base64 32` prints them; commas separate several."
)

const PublicKeys = listOf((key) => is_key.test(key), "must be public keys of 32 bytes in base64, comma-separated.")

const PublicUrl = urlSetting(
  (url) => isHttp(url) && url.href === `${url.origin}/`,
  "must be a URL such as https://invoices.example.com, with http:// or https://, and without a path, ?, # and a user."
)

/** Browsers send an origin in lower case and without a path, so a setting of another form would never match. */
const is_origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\sA-Z]+$/
const Origins = listOf(
  (origin) => is_origin.test(origin) && !origin.includes("*"),
  "must be origins such as https://app.example.com, in lower case and without a path; leave it out to allow any."
)

const Sender = Schema.String.check(
  Schema.isPattern(/^(?:[^<>@\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/, {
    message: "must be one address, such as Acme <invoices@example.com>."
  })
)

const Zone = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/, { message: "must be a DNS zone such as smp.example.com." })
)

const NameServers = listOf((entry) => isNameServer(entry), "must be addresses such as 192.0.2.53 or 192.0.2.53:5353.")

/** Other values are refused, because a typo such as `prod` would silently turn off the checks for production. */
const Environment = Schema.Literals(["production", "development", "test"])

/** JavaScript also parses `0x10`, `1e3` and an empty text as numbers, which are mistakes in a setting. */
const digits = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message })).pipe(Schema.decodeTo(Schema.FiniteFromString))

const decimal = digits(/^\d+(?:\.\d+)?$/, "must be a number such as 0.5.")

export const between = (minimum: number, maximum: number) =>
  digits(/^-?\d+$/, "must be a whole number in digits.").pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
  )

export const fraction = decimal.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** Tests use 0.0001. With a factor above 10, a failed webhook delivery would be repeated too late to be of use. */
const TimeScale = decimal.check(Schema.isBetween({ minimum: 0.0001, maximum: 10 }))

const Networks = Schema.String.check(
  Schema.makeFilter((text) => list(text).every((network) => Result.isSuccess(IpNetwork.fromString(network))), {
    message: "must be networks such as 10.0.0.0/8."
  })
)

/** A request with an Idempotency-Key uses one database connection and may need a second one. */
const connections_min = 2
const connections_max = 1_000
const rate_limit_max = 1_000_000_000
const ocr_processes_default_max = 2
const ocr_processes_max = 64
const pdf_processes_max = 64
/** One process can be reserved for short documents only if another one makes the long documents. */
const pdf_processes_default_min = 2
/** Covers ten years from the end of the invoice's year, the longest term for most invoices (see COUNTRIES.md). */
const archive_days_default = 4018
const retention_days_max = 3650
const network_delay_seconds_max = 86_400
const archive_days_max = 36_500
const export_objects_max = 1_000_000

const list = (text: string) => text.split(",").flatMap((entry) => entry.trim() || [])

const production = Config.schema(Environment, "NODE_ENV").pipe(
  Config.withDefault("development"),
  Config.map((environment) => environment === "production")
)

const settings = Config.all({
  port: Config.schema(between(0, 65_535), "PORT").pipe(Config.withDefault(3000)),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  /** Base URL of links to this service, and the OAuth issuer. */
  publicUrl: Config.option(Config.schema(PublicUrl, "PUBLIC_URL")),
  /** `api` answers requests, `worker` does background work, `all` does both. */
  role: Config.schema(Schema.Literals(["all", "api", "worker"]), "ROLE").pipe(Config.withDefault("all")),
  dataDir: Config.schema(DataDir, "DATA_DIR").pipe(Config.withDefault("./data")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  /** URL of a database replica for reports, exports, checks of the archive and lists that clients synchronize. */
  databaseReadUrl: Config.option(Config.Redacted("DATABASE_READ_URL")),
  databaseConnections: Config.schema(between(connections_min, connections_max), "DATABASE_CONNECTIONS").pipe(
    Config.withDefault(16)
  ),
  seedDemo: Config.option(Config.Boolean("SEED_DEMO")),
  /** Turns on the administration API, which has no rate limit, so the token must be long. */
  adminToken: Config.option(Config.schema(Schema.Redacted(AdminToken), "ADMIN_TOKEN")),
  rateLimitPerMinute: Config.schema(between(1, rate_limit_max), "RATE_LIMIT_PER_MINUTE").pipe(Config.withDefault(60)),
  /** `s3://bucket?endpoint=...&region=...`; without a value, objects are kept in the data folder. */
  storageUrl: Config.option(Config.schema(StorageUrl, "STORAGE_URL")),
  /** Standard variables of S3 clients; required only with `STORAGE_URL`. */
  storageCredentials: Config.option(
    Config.all({
      accessKeyId: Config.String("AWS_ACCESS_KEY_ID"),
      secretAccessKey: Config.Redacted("AWS_SECRET_ACCESS_KEY"),
      sessionToken: Config.option(Config.Redacted("AWS_SESSION_TOKEN"))
    })
  ),
  smtpUrl: Config.option(Config.schema(Schema.Redacted(SmtpUrl), "SMTP_URL")),
  mailFrom: Config.schema(Sender, "MAIL_FROM").pipe(Config.withDefault(mail_from_default)),
  /** Networks (CIDR, comma-separated) of the reverse proxies whose X-Forwarded-* headers are trusted. */
  trustedProxies: Config.schema(Networks, "TRUSTED_PROXIES").pipe(Config.withDefault(""), Config.map(list)),
  /** Origins (comma-separated) that browsers may call from; empty allows any, since no cookie authorizes API calls. */
  corsOrigins: Config.schema(Origins, "CORS_ORIGINS").pipe(Config.withDefault(""), Config.map(list)),
  /** Base64 keys of 32 bytes: the first encrypts, all decrypt. Default: a key file in the data folder. */
  secretKeys: Config.schema(Keys, "SECRET_KEY").pipe(
    Config.withDefault(""),
    Config.map((keys) => list(keys).map((key) => Redacted.make(key)))
  ),
  /** Base64 keys of 32 bytes: the first signs, all verify. Default: a key file in the data folder. */
  signingKeys: Config.schema(Keys, "SIGNING_KEY").pipe(
    Config.withDefault(""),
    Config.map((keys) => list(keys).map((key) => Redacted.make(key)))
  ),
  /**
   * Public Ed25519 keys (base64, comma-separated) of installations from which organizations were imported. They verify
   * the checkpoints of audit chains that those installations signed.
   */
  trustedSigningKeys: Config.schema(PublicKeys, "TRUSTED_SIGNING_KEYS").pipe(Config.withDefault(""), Config.map(list)),
  /** URL of a time-stamping authority (RFC 3161) that confirms when a checkpoint of an audit chain existed. */
  timestampUrl: Config.option(Config.schema(TimestampUrl, "TIMESTAMP_URL")),
  webhooks: Config.all({
    allowHttp: Config.Boolean("WEBHOOKS_ALLOW_HTTP").pipe(Config.withDefault(false)),
    /** Targets in private networks (`host:port`, comma-separated) that webhooks may call; for development. */
    allowedTargets: Config.String("WEBHOOKS_ALLOWED_TARGETS").pipe(Config.withDefault(""), Config.map(list)),
    /** Factor for the delays between the attempts of a webhook delivery. */
    timeScale: Config.schema(TimeScale, "WEBHOOKS_TIME_SCALE").pipe(Config.withDefault(1))
  }),
  /** Number of processes that read receipts; each may use up to 800 MB. By default one core is left to the requests. */
  ocrProcesses: Config.schema(between(1, ocr_processes_max), "OCR_PROCESSES").pipe(
    Config.withDefault(Math.min(ocr_processes_default_max, Math.max(1, availableParallelism() - 1)))
  ),
  /** Number of processes that make PDF files; each may use up to 1.2 GB. */
  pdfProcesses: Config.schema(between(1, pdf_processes_max), "PDF_PROCESSES").pipe(
    Config.withDefault(Math.min(pdf_processes_max, Math.max(pdf_processes_default_min, availableParallelism())))
  ),
  /** Age in days at which a receipt without an expense is removed. */
  receiptRetentionDays: Config.schema(between(1, retention_days_max), "RECEIPT_RETENTION_DAYS").pipe(
    Config.withDefault(30)
  ),
  /** Simulates every e-invoicing network; by default only outside production. */
  einvoicingSandbox: Config.option(Config.Boolean("EINVOICING_SANDBOX")),
  /** Delay between two messages about one document from the simulated e-invoicing network. */
  sandboxNetworkDelaySeconds: Config.schema(
    between(0, network_delay_seconds_max),
    "SANDBOX_NETWORK_DELAY_SECONDS"
  ).pipe(Config.withDefault(2)),
  peppol: Config.all({
    /** DNS zone of Peppol's service metadata locator. The test network has `participant.sml.test.tech.peppol.org`. */
    smlZone: Config.schema(Zone, "PEPPOL_SML_ZONE").pipe(Config.withDefault("participant.sml.prod.tech.peppol.org")),
    /** Name servers (`address:port`, comma-separated); by default those of the system. */
    dnsServers: Config.schema(NameServers, "PEPPOL_DNS_SERVERS").pipe(Config.withDefault(""), Config.map(list)),
    /** PEM file with the certificate authorities for Peppol's metadata publishers. Without it, lookups are off. */
    trustedCertificates: Config.option(Config.String("PEPPOL_TRUSTED_CERTIFICATES"))
  }),
  archive: Config.all({
    /** Plans (comma-separated) whose organizations get their issued documents archived. */
    plans: Config.String("ARCHIVE_PLANS").pipe(Config.withDefault("business"), Config.map(list)),
    /** Days for which the storage refuses to delete an archived object, if it supports that (S3 Object Lock). */
    retentionDays: Config.schema(between(1, archive_days_max), "ARCHIVE_RETENTION_DAYS").pipe(
      Config.withDefault(archive_days_default)
    ),
    exportDays: Config.schema(between(1, retention_days_max), "ARCHIVE_EXPORT_DAYS").pipe(Config.withDefault(7)),
    exportObjectsMax: Config.schema(between(1, export_objects_max), "ARCHIVE_EXPORT_OBJECTS_MAX").pipe(
      Config.withDefault(72_000)
    )
  }),
  /** Port that serves only `/metrics`. Without it, the public port serves `/metrics`, too. */
  metricsPort: Config.option(Config.schema(between(1, 65_535), "METRICS_PORT")),
  /** Writes a log line for each request; by default only in production. */
  accessLog: Config.all({ chosen: Config.option(Config.Boolean("ACCESS_LOG")), production }).pipe(
    Config.map(({ chosen, production }) => Option.getOrElse(chosen, () => production))
  ),
  production
})

export interface Settings extends Config.Success<typeof settings> {}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The error for an invalid setting, which stops the start. The message says which values are accepted. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{ readonly message: string }> {
  static of({ cause }: Config.ConfigError) {
    if (!Schema.isSchemaError(cause)) return new SettingInvalid({ message: cause.message })
    const [issue] = issuesOf(cause.issue).issues
    const name = issue?.path?.map(String).join("_")
    // A message of Effect begins with "Expected", which becomes lower-case, because it follows the name of the setting.
    const problem = issue?.message.replace(/^Expected/, "expected").replace(/\.?$/, ".")
    return new SettingInvalid({ message: `${name} is invalid: ${problem}` })
  }
}

/** The settings are read once, at the start. An invalid value stops the start with an error that names the setting. */
export class AppConfig extends Context.Service<AppConfig, Settings>()("invoicing/platform/config/AppConfig") {
  static readonly layer = Layer.effect(
    this,
    Effect.mapError(settings, (error) => SettingInvalid.of(error)).pipe(
      // The default sender is an address at localhost, from which other mail servers accept no messages.
      Effect.filterOrFail(
        ({ mailFrom, production, smtpUrl }) => !production || Option.isNone(smtpUrl) || mailFrom !== mail_from_default,
        () => new SettingInvalid({ message: "MAIL_FROM is required in production with SMTP_URL." })
      )
    )
  )
}

export const publicUrl = (config: Settings): string =>
  Option.match(config.publicUrl, {
    onNone: () => `http://${hostInUrl(config.host)}:${config.port}`,
    onSome: ({ origin }) => origin
  })

const hostInUrl = (host: string): string => {
  if (host === "127.0.0.1") return "localhost"
  return isIPv6(host) ? `[${host}]` : host
}
