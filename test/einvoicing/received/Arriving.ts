import { Effect, Layer, Stream } from "effect"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import type { Arrival } from "../../../src/einvoicing/providers/Arrival.ts"
import { type Provider, Providers } from "../../../src/einvoicing/providers/Provider.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"

let arrivals = 0

/** A document with any content that a network holds for an organization. */
export const arrivalOf = ({ id }: { readonly id: number }, content: string | Uint8Array): Arrival => ({
  transmission_id: `external-${++arrivals}`,
  organization_id: OrganizationId.make(id),
  at: Timestamp.make("2026-03-01T10:00:00.000Z"),
  bytes: typeof content === "string" ? new TextEncoder().encode(content) : content
})

/** Collects arrivals from a Peppol network that holds only them. */
export const collecting = (
  held: ReadonlyArray<Arrival>,
  { inbox = Inbox.layer, ...changes }: Partial<Provider> & { readonly inbox?: typeof Inbox.layer } = {}
) => {
  const provider: Provider = {
    name: "Other",
    environment: "sandbox",
    check: Effect.void,
    enroll: () => Effect.void,
    update: () => Effect.void,
    withdraw: () => Effect.void,
    submit: () => Effect.never,
    poll: () => Effect.succeed([]),
    arrivals: Stream.fromIterable(held),
    confirm: () => Effect.void,
    respond: () => Effect.succeedNone,
    ...changes
  }
  const providers = Layer.effect(
    Providers,
    Effect.map(Providers, (known) =>
      Providers.of({ ...known, inboxes: Effect.succeed([{ code: "peppol", provider }]) })
    )
  ).pipe(Layer.provide(ConnectedProviders))
  return Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox.pipe(Layer.provide(providers))))
}
