import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { ClientId } from "../../kernel/Ids.ts"

/** A client that holds valid tokens of a user. */
export const ConnectedApp = Schema.Struct({ client_id: ClientId, name: Schema.String, connected_at: Timestamp })
export type ConnectedApp = typeof ConnectedApp.Type
