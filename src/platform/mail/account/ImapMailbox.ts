import { DateTime, Effect, Redacted } from "effect"
import type { FetchMessageObject, ImapFlow } from "imapflow"
import { atFirstUse } from "../../packages/AtFirstUse.ts"
import { connect_timeout_ms, type MailServer, MailServerDown, silence_timeout_ms } from "./MailServer.ts"

const imapflow = atFirstUse("imapflow")

interface MailHead {
  readonly uid: number
  readonly size_bytes: number
  /** The time at which the message arrived in the mailbox. */
  readonly at: DateTime.Utc
  /** Returns a header field in one line, or an empty text. */
  readonly header: (name: string) => string
}

/** A mailbox that is only read: no message is changed or marked. */
export interface OpenMailbox {
  /** Changes when the server renumbers its messages. */
  readonly uid_validity: number
  /** Returns the headers of messages with a number above `uid` that arrived on `day` or later, ordered by number. */
  readonly after: (uid: number, day: string, limit: number) => Effect.Effect<ReadonlyArray<MailHead>, MailServerDown>
  readonly source: (uid: number) => Effect.Effect<Uint8Array, MailServerDown>
}

interface Folder {
  readonly name: string
  readonly fields: ReadonlyArray<string>
}

export const openMailbox = Effect.fnUntraced(function* (server: MailServer, folder: Folder) {
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => clientOf(server)),
    (client) => Effect.sync(() => client.close())
  )
  yield* asked(() => client.connect())
  const { uidValidity } = yield* asked(() => client.mailboxOpen(folder.name, { readOnly: true }))

  const after: OpenMailbox["after"] = Effect.fnUntraced(function* (uid, day, limit) {
    const found = yield* asked(() => client.search({ uid: `${uid + 1}:*`, since: day }, { uid: true }))
    // In IMAP, a range that ends with `*` always includes the last message, even if its number is smaller than `uid`.
    const uids = (found || []).filter((one) => one > uid).toSorted((a, b) => a - b)
    if (uids.length === 0) return []
    const query = { uid: true, size: true, internalDate: true, headers: [...folder.fields] }
    const messages = yield* asked(() => client.fetchAll(uids.slice(0, limit), query, { uid: true }))
    return messages.map(headOf).toSorted((a, b) => a.uid - b.uid)
  })

  const source: OpenMailbox["source"] = Effect.fnUntraced(function* (uid) {
    const message = yield* asked(() => client.fetchOne(String(uid), { source: true }, { uid: true }))
    if (message === false || message.source === undefined) return yield* down("A message disappeared from the mailbox.")
    return new Uint8Array(message.source)
  })

  return { uid_validity: Number(uidValidity), after, source } satisfies OpenMailbox
})

const clientOf = ({ host, password, port, security, user }: MailServer): ImapFlow => {
  const { ImapFlow } = imapflow()
  const client = new ImapFlow({
    host,
    port,
    secure: security === "tls",
    ...(security === "tls" ? {} : { doSTARTTLS: security === "starttls" }),
    auth: { user, pass: Redacted.value(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connect_timeout_ms,
    greetingTimeout: connect_timeout_ms,
    socketTimeout: silence_timeout_ms
  })
  // A lost connection fails the waiting request; without a listener, its `error` event would crash the process.
  client.on("error", () => undefined)
  return client
}

const asked = <A>(request: () => Promise<A>): Effect.Effect<A, MailServerDown> =>
  Effect.tryPromise({ try: request, catch: failureOf })

const failureOf = (error: unknown): MailServerDown => {
  const isLogin = error instanceof Error && "authenticationFailed" in error && error.authenticationFailed === true
  return isLogin
    ? new MailServerDown({ message: "The IMAP server refuses the login.", isLogin })
    : down("The IMAP server could not be reached, or does not answer.")
}

const down = (message: string) => new MailServerDown({ message, isLogin: false })

const headOf = ({ headers, internalDate, size, uid }: FetchMessageObject): MailHead => {
  const text = new TextDecoder().decode(headers).replaceAll(/\r?\n[ \t]+/g, " ")
  return {
    uid,
    size_bytes: size ?? 0,
    at: DateTime.makeUnsafe(internalDate ?? 0),
    header: (name) => new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, "im").exec(text)?.[1] ?? ""
  }
}
