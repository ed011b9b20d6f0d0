/** The client of the service, based on plain `fetch`. */
import createClient, { defaultBodySerializer } from "openapi-fetch"
import type { Invoicing } from "./Methods.ts"
import { type Connection, sender } from "./Sender.ts"
import type { paths } from "./openapi.ts"

export type { components, paths } from "./openapi.ts"
export { type Deleted, each, eachDeleted, type ListPath, type Page, pages, type Row } from "./Lists.ts"
export { type Application, beginLogin, finishLogin, type PendingLogin, session, type Tokens } from "./Login.ts"
export type { Invoicing } from "./Methods.ts"
export { Refused, unwrap } from "./Refused.ts"
export type { Connection, TokenSource } from "./Sender.ts"
export {
  type ReceivedMessage,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookMessage,
  WebhookRefused,
  type WebhookTest
} from "./Webhooks.ts"

// Boundary: the client calls the same operations as its methods declare, with stricter types of their options.
export const invoicing = (connection: Connection): Invoicing =>
  createClient<paths>({ baseUrl: connection.baseUrl, fetch: sender(connection), bodySerializer }) as Invoicing

/** Writes a body with a file as a form, and any other body as the package `openapi-fetch` does. */
const bodySerializer = (body: unknown, headers?: unknown): unknown => {
  const fields = typeof body === "object" && body !== null ? Object.entries(body) : []
  if (!fields.some(([, value]) => value instanceof Blob)) return serialized(body, headers)
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.set(name, value)
    else if (value !== undefined) form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value))
  }
  return form
}

/** The type that `openapi-fetch` declares for this function lacks the second parameter. */
const serialized: (body: unknown, headers?: unknown) => unknown = defaultBodySerializer
