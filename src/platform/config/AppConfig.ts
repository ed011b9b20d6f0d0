import { Config, Context, Layer, Option, Schema } from "effect"

const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))

const StorageUrl = Schema.URLFromString.check(
  Schema.makeFilter((url) => url.protocol === "s3:" && url.hostname !== "" && hasEndpoint(url), {
    message: "must be s3://bucket?endpoint=https://host&region=name."
  })
)

const hasEndpoint = ({ searchParams }: URL): boolean => {
  const endpoint = searchParams.get("endpoint")
  return endpoint === null || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")
}

const admin_token_characters_min = 32

const list = (text: string) => text.split(",").flatMap((entry) => entry.trim() || [])

const settings = Config.all({
  /** Where the server listens. */
  port: Config.schema(Schema.FiniteFromString.pipe(Schema.decodeTo(Port)), "PORT").pipe(Config.withDefault(3000)),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  /** Address that clients and links use; OAuth issuer. */
  publicUrl: Config.option(Config.URL("PUBLIC_URL")),
  dataDir: Config.String("DATA_DIR").pipe(Config.withDefault("./data")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  databaseConnections: Config.Int("DATABASE_CONNECTIONS").pipe(Config.withDefault(16)),
  seedDemo: Config.option(Config.Boolean("SEED_DEMO")),
  /** Opens the administration, which no rate limit guards, so it must be long. */
  adminToken: Config.option(
    Config.schema(Schema.Redacted(Schema.String.check(Schema.isMinLength(admin_token_characters_min))), "ADMIN_TOKEN")
  ),
  rateLimitPerMinute: Config.Int("RATE_LIMIT_PER_MINUTE").pipe(Config.withDefault(60)),
  /** `s3://bucket?endpoint=...&region=...`; without it objects are kept in the data folder. */
  storageUrl: Config.option(Config.schema(StorageUrl, "STORAGE_URL")),
  /** What every S3 client reads; asked for only with `STORAGE_URL`. */
  storageCredentials: Config.option(
    Config.all({
      accessKeyId: Config.String("AWS_ACCESS_KEY_ID"),
      secretAccessKey: Config.Redacted("AWS_SECRET_ACCESS_KEY"),
      sessionToken: Config.option(Config.Redacted("AWS_SESSION_TOKEN"))
    })
  ),
  smtpUrl: Config.option(Config.Redacted("SMTP_URL")),
  mailFrom: Config.String("MAIL_FROM").pipe(Config.withDefault("Invoicing <invoicing@localhost>")),
  /** Networks (CIDR, comma-separated) of the reverse proxies whose X-Forwarded-* headers are believed. */
  trustedProxies: Config.String("TRUSTED_PROXIES").pipe(Config.withDefault(""), Config.map(list)),
  /** Origins (comma-separated) that browsers may call from; empty means any, since no cookie opens the API. */
  corsOrigins: Config.String("CORS_ORIGINS").pipe(Config.withDefault(""), Config.map(list)),
  production: Config.String("NODE_ENV").pipe(
    Config.withDefault("development"),
    Config.map((environment) => environment === "production")
  )
})

export interface Settings extends Config.Success<typeof settings> {}

/** Every configuration key of the process, read once at start: an invalid value stops it with the key's name. */
export class AppConfig extends Context.Service<AppConfig, Settings>()("invoicing/platform/config/AppConfig") {
  static readonly layer = Layer.effect(this, settings)
}

/** The public address without a trailing slash. */
export const publicUrl = (config: Settings): string =>
  Option.match(config.publicUrl, {
    onNone: () => `http://${config.host === "127.0.0.1" ? "localhost" : config.host}:${config.port}`,
    onSome: (url) => url.href.replace(/\/$/, "")
  })
