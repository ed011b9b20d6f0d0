import { Predicate, Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EventName } from "../../kernel/EventName.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { described } from "../../kernel/Described.ts"

const EventData = Schema.Record(Schema.String, Schema.Json)

const fieldsOf = <Type extends Schema.Top, Sequence extends Schema.Top>(type: Type, sequence: Sequence) => ({
  id: described(Schema.String, "Id of the event, the same in every attempt to deliver it."),
  type,
  event: described(type, "The same as `type`."),
  timestamp: described(Timestamp, "Time at which it happened."),
  organization_id: OrganizationId,
  sequence: described(sequence, "Place among the events of the organization, from 1, without holes."),
  api_version: described(Schema.Literal("v1"), "Version of the message: `v1`."),
  livemode: described(Schema.Boolean, "False if the event comes from a simulated e-invoicing network."),
  data: described(
    EventData,
    "`object` names the kind of the record, `id` the record, and `attributes` is what GET answered for it then."
  )
})

/** An event, in the form that receivers get and that the API answers. */
export const Event = Schema.Struct(fieldsOf(EventName, Schema.Int)).annotate({
  identifier: "Event",
  description: "A fact about a record, as webhooks receive it."
})
export type Event = typeof Event.Type

/** The message of `POST /webhooks/{id}/test` belongs to no event, so it has no sequence number. */
export const test_event = "webhook.test"

/** A message to a webhook: an event or a test message. */
export type Message = Omit<Event, "type" | "event" | "sequence"> & {
  readonly type: EventName | typeof test_event
  readonly event: EventName | typeof test_event
  readonly sequence: number | null
}

/** The event as stored in the outbox. */
export const StoredEvent = Schema.Struct({
  organization_id: OrganizationId,
  sequence: described(Schema.Int, "Place among the events of the organization, from 1, without holes."),
  event_id: Schema.String,
  type: EventName,
  occurred_at: Timestamp,
  data: EventData
})
export type StoredEvent = typeof StoredEvent.Type

/** An event by its place in the sequence of its organization. */
export const EventKey = Schema.Struct(Struct.pick(StoredEvent.fields, ["organization_id", "sequence"]))
export type EventKey = typeof EventKey.Type

/** The events that the fiscal archive keeps, once a webhook is told of them. */
export const archived_events: ReadonlyArray<EventName> = ["einvoice.sent", "einvoice.delivered", "einvoice.failed"]

/** Records of the sandbox have an `environment` field with the value "sandbox". */
const isSimulated = ({ attributes }: typeof EventData.Type): boolean =>
  Predicate.hasProperty(attributes, "environment") && attributes.environment === "sandbox"

export const eventOf = ({ data, event_id, occurred_at, organization_id, sequence, type }: StoredEvent): Event => ({
  id: event_id,
  type,
  event: type,
  timestamp: occurred_at,
  organization_id,
  sequence,
  api_version: "v1",
  livemode: !isSimulated(data),
  data
})

export const CatalogItem = Schema.Struct({
  name: EventName,
  description: described(Schema.String, "What has happened when the event is sent."),
  stability: described(
    Schema.Literals(["stable", "extended"]),
    "`stable`: part of the published list of events; `extended`: an addition to it."
  ),
  example: described(Event, "A message of this event.")
}).annotate({ identifier: "EventDescription", description: "A kind of event." })
export type CatalogItem = typeof CatalogItem.Type

/** The position of a reader, which requests the next events with `after=next_after`. */
const Position = Schema.Struct({
  after: described(Schema.Int, "The sequence number that was asked for."),
  next_after: described(Schema.Int, "Sequence number to ask for next."),
  has_more: described(Schema.Boolean, "True if there are further events now."),
  oldest_sequence: described(
    Schema.NullOr(Schema.Int),
    "Sequence number of the first event that is kept; if it is greater than `after + 1`, events were removed. Null if there are none."
  ),
  latest_sequence: described(Schema.NullOr(Schema.Int), "Sequence number of the last event; null if there are none."),
  kept_days: described(Schema.Int, "Days for which events are kept.")
})

export const EventPage = Schema.Struct({
  success: described(Schema.Literal(true), "Always `true`; a refusal has `false`."),
  data: described(Schema.Array(Event), "The events of the page, in the order in which they happened."),
  meta: described(Position, "Place of the page among the events.")
}).annotate({ identifier: "EventPage", description: "Events after a position, in the order in which they happened." })
export type EventPage = typeof EventPage.Type
