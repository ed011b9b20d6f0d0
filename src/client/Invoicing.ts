/** The client of the service, based on plain `fetch`. */
import createClient from "openapi-fetch"
import type { Invoicing } from "./Lists.ts"
import { type Connection, sender } from "./Sender.ts"
import type { paths } from "./openapi.ts"

export type { components, paths } from "./openapi.ts"
export { type Deleted, each, eachDeleted, type Invoicing, type ListPath, type Page, pages, type Row } from "./Lists.ts"
export { type Application, beginLogin, finishLogin, type PendingLogin, session, type Tokens } from "./Login.ts"
export { Refused, unwrap } from "./Refused.ts"
export type { Connection, TokenSource } from "./Sender.ts"
export {
  type ReceivedMessage,
  type VerifyOptions,
  verifyWebhook,
  type WebhookMessage,
  WebhookRefused
} from "./Webhooks.ts"

/** Connects to the service. */
export const invoicing = (connection: Connection): Invoicing =>
  createClient<paths>({ baseUrl: connection.baseUrl, fetch: sender(connection) })
