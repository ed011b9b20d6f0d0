import { Schema } from "effect"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { Environment } from "../../../kernel/Environment.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { ProviderCode } from "../Network.ts"

export const ConnectionKey = Schema.Struct({ organization_id: OrganizationId, provider: ProviderCode })
export type ConnectionKey = typeof ConnectionKey.Type

/** A connection as operators see it: without its settings, which are never shown. */
export const Connection = Schema.Struct({
  ...ConnectionKey.fields,
  adapter: Schema.String,
  environment: Environment,
  connected_at: Timestamp,
  updated_at: Timestamp,
  last_exchange_at: Schema.NullOr(Timestamp),
  /** The latest failure; null after a success. */
  last_error: Schema.NullOr(Schema.String),
  last_error_at: Schema.NullOr(Timestamp),
  /** No request is made before this time, because the provider requested a pause or was silent. */
  paused_until: Schema.NullOr(Timestamp)
})
export type Connection = typeof Connection.Type

export const SealedConnection = Schema.Struct({ ...Connection.fields, sealed_settings: Schema.String })
export type SealedConnection = typeof SealedConnection.Type
