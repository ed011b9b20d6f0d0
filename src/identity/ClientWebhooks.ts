import { Context, type Effect } from "effect"
import type { ClientId, OrganizationId, UserId } from "../kernel/Ids.ts"

/** Implemented by `src/webhooks`, because `src/identity` may not import it. */
export class ClientWebhooks extends Context.Service<
  ClientWebhooks,
  {
    /**
     * Deactivates the webhooks that third-party clients created in a user's name, in the transaction that ends the
     * access of the clients. Null stands for every user, every client, or every organization.
     */
    readonly deactivate: (ended: {
      readonly user_id: UserId | null
      readonly client_id: ClientId | null
      readonly organization_id: OrganizationId | null
    }) => Effect.Effect<void>
  }
>()("invoicing/identity/ClientWebhooks") {}
