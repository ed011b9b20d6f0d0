import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { declaredAs } from "../../test/contract/document/OpenApi.ts"
import type { Answered, Ledger } from "./audits/Ledger.ts"

const answer_ms_max = 20_000
/**
 * A client that has repeated a request for this long gives up and reports a finding, because every fault is shorter.
 */
const patience_ms = 90_000
const pause_ms = 150

/** Codes of temporary conflicts: the same request is still in progress, or an issued document is not archived yet. */
const passing = new Set(["idempotency_in_progress", "send_in_progress", "upload_in_progress", "nothing_to_export"])

interface Reply {
  readonly status: number
  readonly body: Answered
}

export class GaveUp extends Error {}

/** A client of one organization. It repeats a request that got no answer, with the same Idempotency-Key. */
export class Client {
  readonly #urls: () => ReadonlyArray<string>
  #requests = 0
  readonly #headers: Readonly<Record<string, string>>
  readonly ledger: Ledger

  /** The client asks the processes at `urls` in turn. */
  constructor(urls: () => ReadonlyArray<string>, organization: number, token: string, ledger: Ledger) {
    this.#urls = urls
    this.#headers = { authorization: `Bearer ${token}`, "x-organization-id": String(organization) }
    this.ledger = ledger
  }

  async get(path: string): Promise<Answered> {
    return (await this.#persist("GET", path, undefined, 200)).body
  }

  /** Returns the data of the expected response; undefined if the service answers one of the codes in `refusals`. */
  async post(path: string, body: object, expected = 201, refusals: ReadonlyArray<string> = []): Promise<Answered> {
    return (await this.#persist("POST", path, body, expected, refusals)).body.data
  }

  async put(path: string, body: object): Promise<Answered> {
    return (await this.#persist("PUT", path, body, 200)).body.data
  }

  /**
   * Sends a document until it is delivered, each time with a new idempotency key. If the service was killed between
   * sending and answering, it may refuse the next attempt as `already_sent`.
   */
  async send(document: string, recipient: string): Promise<Answered> {
    const path = `${document}/send`
    const { retries } = this.ledger
    const ends = Date.now() + patience_ms
    let resend = false
    while (Date.now() < ends) {
      const body = { recipients: [recipient], resend }
      const reply = await this.#persist("POST", path, body, 200, ["delivery_failed", "already_sent"])
      if (reply.status === 200) {
        if (reply.body.data.deliveries[0].status === "accepted") return reply.body.data
        resend = true
        this.ledger.resent.add(recipient)
        continue
      }
      if (reply.body.code === "already_sent") {
        if (this.ledger.retries === retries) return this.#giveUp("POST", path, "was sent before it was asked for")
        return (await this.get(document)).data
      }
      this.ledger.retries++
      await sleep(pause_ms)
    }
    return this.#giveUp("POST", path, "never delivered")
  }

  async download(path: string): Promise<Uint8Array> {
    const response = await this.#fetch("GET", path, {})
    return new Uint8Array(await response.arrayBuffer())
  }

  async #persist(
    method: string,
    path: string,
    body: object | undefined,
    expected: number,
    refusals: ReadonlyArray<string> = []
  ) {
    const key = randomUUID()
    const ends = Date.now() + patience_ms
    let last = ""
    for (let attempt = 0; Date.now() < ends; attempt++) {
      if (attempt > 0) {
        this.ledger.retries++
        await sleep(pause_ms)
      }
      const reply = await this.#attempt(method, path, key, body).catch((error: Error) => error)
      if (reply instanceof Error) {
        last = `${reply.message} ${String(reply.cause)}`
        continue
      }
      const { code } = reply.body
      if (reply.status === expected || refusals.includes(code)) return reply
      last = `${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`
      const again = reply.status === 503 || (reply.status === 409 && passing.has(code))
      if (!again) return this.#giveUp(method, path, `answered ${last}`)
    }
    return this.#giveUp(method, path, `had no answer but ${last}`)
  }

  async #attempt(method: string, path: string, key: string, body: object | undefined): Promise<Reply> {
    this.ledger.requests++
    const isForm = body instanceof FormData
    const response = await this.#fetch(
      method,
      path,
      {
        ...(method === "POST" ? { "idempotency-key": key } : {}),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" })
      },
      body === undefined ? undefined : isForm ? body : JSON.stringify(body)
    )
    const text = await response.text()
    const { headers, status } = response
    const parsed = JSON.parse(text)
    const mistake = declaredAs(method, `/api/v1${path}`, { status, headers, body: parsed, text })?.mistake
    if (mistake !== undefined) this.ledger.found(`${method} ${path} ${status} ${mistake}: ${text.slice(0, 300)}`)
    return { status, body: parsed }
  }

  #fetch(method: string, path: string, headers: Record<string, string>, body?: string | FormData) {
    const urls = this.#urls()
    const url = urls[this.#requests++ % urls.length]
    return fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      signal: AbortSignal.timeout(answer_ms_max),
      ...(body === undefined ? {} : { body })
    })
  }

  #giveUp(method: string, path: string, what: string): never {
    this.ledger.found(`${method} ${path} ${what}`)
    throw new GaveUp(what)
  }
}
