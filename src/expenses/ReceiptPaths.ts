import { Context, Effect, Layer } from "effect"
import type { CurrentOrganization } from "../platform/http/Security.ts"

/** Knows which storage paths are receipts that the current organization has uploaded. */
export class ReceiptPaths extends Context.Service<
  ReceiptPaths,
  { readonly isOwn: (path: string) => Effect.Effect<boolean, never, CurrentOrganization> }
>()("invoicing/expenses/ReceiptPaths") {
  /** Nothing has been uploaded. */
  static readonly layer = Layer.succeed(this, this.of({ isOwn: () => Effect.succeed(false) }))
}
