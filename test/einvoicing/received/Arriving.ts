import { Effect, Layer, Stream } from "effect"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import type { Arrival } from "../../../src/einvoicing/providers/Arrival.ts"
import { type Provider, Providers } from "../../../src/einvoicing/providers/Provider.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { ArrivalReader, ArrivalUnread } from "../../../src/einvoicing/received/reading/ArrivalReader.ts"
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

/** A Peppol provider that holds only these arrivals. */
export const holding = (held: ReadonlyArray<Arrival>, changes: Partial<Provider> = {}): Provider => ({
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
})

/** Collects arrivals from a Peppol network that holds only them. */
export const collecting = (
  held: ReadonlyArray<Arrival>,
  { inbox = Inbox.layer, ...changes }: Partial<Provider> & { readonly inbox?: typeof Inbox.layer } = {}
) => {
  const inboxes = Effect.succeed([{ code: "peppol" as const, provider: holding(held, changes) }])
  const providers = Layer.effect(
    Providers,
    Effect.map(Providers, (known) => Providers.of({ ...known, inboxes }))
  ).pipe(Layer.provide(ConnectedProviders))
  return Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox.pipe(Layer.provide(providers))))
}

/** An inbox whose reader fails like one whose process was killed, and counts how often it is asked. */
export const unreadableInbox = () => {
  const state = { reads: 0 }
  const reader = ArrivalReader.of({
    read: () =>
      Effect.suspend(() => {
        state.reads++
        return new ArrivalUnread({ message: "The process that read the document ended with SIGKILL." })
      })
  })
  return { state, inbox: Inbox.readBy(Layer.succeed(ArrivalReader, reader)) }
}
