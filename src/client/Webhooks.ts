import type { components, webhooks } from "./openapi.ts"

type Sent<Name extends keyof webhooks> = webhooks[Name]["post"]["requestBody"]["content"]["application/json"]

/** An event with the record that it is about: the `type` of the event decides the type of its `data`. */
export type WebhookEvent = {
  [Name in keyof webhooks]: Omit<Sent<Name>, "type" | "event"> & { readonly type: Name; readonly event: Name }
}[keyof webhooks]

/** The message that `POST /api/v1/webhooks/{id}/test` sends. */
export type WebhookTest = Omit<components["schemas"]["Event"], "type" | "event" | "sequence"> & {
  readonly type: "webhook.test"
  readonly event: "webhook.test"
  readonly sequence: null
}

export type WebhookMessage = WebhookEvent | WebhookTest

/** The message was not sent by the service with this secret, or it is a replay of an old one. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly reason: "header_missing" | "timestamp_out_of_tolerance" | "signature_mismatch"

  constructor(reason: WebhookRefused["reason"]) {
    super(`The webhook message was refused: ${reason}.`)
    this.reason = reason
  }
}

/** A message as the receiver got it: its headers, and its body before it is parsed. */
export interface ReceivedMessage {
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string | Uint8Array
}

export interface VerifyOptions {
  /** Maximum age of a message in seconds, and maximum lead of the sender's clock; the default is 5 minutes. */
  readonly toleranceSeconds?: number
}

const tolerance_seconds_default = 300
const prefix = "whsec_"

/** Verifies `webhook-signature` (Standard Webhooks 1.0). During a rotation, the old and the new secret are valid. */
export const verifyWebhook = async (
  secret: string,
  { body, headers }: ReceivedMessage,
  { toleranceSeconds = tolerance_seconds_default }: VerifyOptions = {}
): Promise<WebhookMessage> => {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name)
  )
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookRefused("header_missing")
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  // Also refuses a timestamp that is not a number, because the comparison is then false.
  if (!(age <= toleranceSeconds)) throw new WebhookRefused("timestamp_out_of_tolerance")

  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const known = signatures.split(" ").flatMap((part) => (part.startsWith("v1,") ? [bytesOf(part.slice(3))] : []))
  const isOurs = async (signature: Uint8Array<ArrayBuffer> | undefined) =>
    // `verify` compares in constant time.
    signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed))
  const matches = await Promise.all(known.map(isOurs))
  if (!matches.includes(true)) throw new WebhookRefused("signature_mismatch")
  return JSON.parse(text)
}

const headerOf = (headers: ReceivedMessage["headers"], name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === "string" ? value : value?.[0]
}

/** The key is the base64 text after `whsec_`. A secret of another form is itself the key. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> =>
  (secret.startsWith(prefix) ? bytesOf(secret.slice(prefix.length)) : undefined) ?? new TextEncoder().encode(secret)

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text !== "" && base64.test(text) ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined
