import { Data, Effect, Redacted, Result } from "effect"
import type { Connection } from "./Database.ts"
import { isServerKind, server_kinds, type ServerKind } from "./Servers.ts"

const port_default = 5432
const encrypted_modes = ["require", "verify-ca", "verify-full"]
const parts_pattern = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(\/.*)$/

class DatabaseUrlInvalid extends Data.TaggedError("DatabaseUrlInvalid")<{ readonly message: string }> {
  static of(setting: string) {
    const form = "postgres://user:password@host:port,host:port/database?target_session_attrs=read-write"
    return new DatabaseUrlInvalid({ message: `${setting} must have the form ${form}; one host is enough.` })
  }

  static kind(setting: string) {
    return new DatabaseUrlInvalid({ message: `target_session_attrs of ${setting} must be ${server_kinds.join(", ")}.` })
  }
}

/**
 * Parses a connection URI of libpq, which may name several hosts. The driver supports only one host, and would use the
 * whole URI as the name in its spans. `usual` is the default kind of server to choose from several hosts.
 */
export const parseDatabaseUrl = Effect.fnUntraced(function* (
  setting: string,
  text: Redacted.Redacted,
  usual: ServerKind
): Effect.fn.Return<Connection, DatabaseUrlInvalid> {
  const [, start = "", authority = "", rest = ""] = parts_pattern.exec(Redacted.value(text)) ?? []
  const urls = authority.split(",").flatMap((server) => URL.parse(`${start}${server}${rest}`) ?? [])
  const [url] = urls
  if (url === undefined || urls.length < authority.split(",").length) return yield* DatabaseUrlInvalid.of(setting)
  const named = Result.try(() => [url.pathname.slice(1), url.username, url.password].map(decodeURIComponent))
  const [database = "", username = "", password = ""] = Result.getOrElse(named, () => [])
  const servers = urls.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? port_default : Number(port)
  }))
  const [first] = servers
  if (first === undefined || database === "" || servers.some(({ host }) => host === ""))
    return yield* DatabaseUrlInvalid.of(setting)
  const kind = url.searchParams.get("target_session_attrs") ?? (servers.length > 1 ? usual : "any")
  if (!isServerKind(kind)) return yield* DatabaseUrlInvalid.kind(setting)
  return {
    ...first,
    database,
    username,
    password: Redacted.make(password),
    ssl: encrypted_modes.includes(url.searchParams.get("sslmode") ?? ""),
    prepare: url.searchParams.get("prepare") !== "false",
    ...(servers.length > 1 || kind !== "any" ? { choice: { servers, kind } } : {})
  }
})
