import { Data, Effect, Redacted, Result } from "effect"
import type { Connection } from "./Database.ts"
import { isServerKind, server_kinds, type ServerKind } from "./Servers.ts"

const port_default = 5432
const plain_modes = ["disable", "allow", "prefer"]
const encrypted_modes = ["require", "verify-ca", "verify-full"]

/** With a misspelled `sslmode`, password and books would travel in clear text, so unknown parameters are refused. */
const parameters: Readonly<Record<string, ReadonlyArray<string>>> = {
  sslmode: [...plain_modes, ...encrypted_modes],
  prepare: ["true", "false"],
  target_session_attrs: server_kinds
}

/** Ignored parameters that providers put into their URIs. */
const ignored_parameters = new Set(["application_name", "channel_binding", "connect_timeout"])

const parts_pattern = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(\/.*)$/

class DatabaseUrlInvalid extends Data.TaggedError("DatabaseUrlInvalid")<{ readonly message: string }> {
  static of(setting: string) {
    const form = "postgres://user:password@host:port,host:port/database?target_session_attrs=read-write"
    return new DatabaseUrlInvalid({ message: `${setting} must have the form ${form}; one host is enough.` })
  }

  static value(setting: string, name: string, accepted: ReadonlyArray<string>) {
    return new DatabaseUrlInvalid({ message: `${name} of ${setting} must be ${accepted.join(", ")}.` })
  }

  static parameter(setting: string, name: string) {
    const known = Object.keys(parameters).join(", ")
    return new DatabaseUrlInvalid({ message: `${setting} has the unknown parameter ${name}; known are ${known}.` })
  }
}

/**
 * Parses a connection URI of libpq, which may name several hosts. The driver does not get the URI, because it supports
 * only one host, and would write the URI into its trace spans. `usual` replaces a missing
 * `target_session_attrs` of a URI with several hosts.
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
  // After an unencoded @ or /, the rest of a password would become the path, which messages print.
  const isPath = /[@/]/.test(url.pathname.slice(1))
  if (first === undefined || database === "" || isPath || servers.some(({ host }) => host === ""))
    return yield* DatabaseUrlInvalid.of(setting)
  for (const [name, value] of url.searchParams) {
    const accepted = parameters[name]
    if (accepted === undefined && !ignored_parameters.has(name))
      return yield* DatabaseUrlInvalid.parameter(setting, name)
    if (accepted?.includes(value) === false) return yield* DatabaseUrlInvalid.value(setting, name, accepted)
  }
  const kind = url.searchParams.get("target_session_attrs") ?? (servers.length > 1 ? usual : "any")
  if (!isServerKind(kind)) return yield* DatabaseUrlInvalid.value(setting, "target_session_attrs", server_kinds)
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
