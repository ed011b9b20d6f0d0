import { Predicate, Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { EventName } from "../../kernel/EventName.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { storedWord } from "../../kernel/StoredWord.ts"
import { described } from "../../kernel/Described.ts"

const EventData = Schema.Record(Schema.String, Schema.Json)

const StoredName = storedWord(EventName.literals).annotate({
  identifier: "EventName",
  description: "Name of an event."
})

const fieldsOf = <Type extends Schema.Top, Sequence extends Schema.Top>(type: Type, sequence: Sequence) => ({
  id: described(Schema.String, "Id of the event, the same in every attempt to deliver it."),
  type,
  event: described(type, "The same as `type`."),
  timestamp: described(Timestamp, "Time at which it happened."),
  organization_id: OrganizationId,
  sequence: described(sequence, "Sequence number of the event in its organization, from 1, without gaps."),
  api_version: described(Schema.Literal("v1"), "Version of the message: `v1`."),
  livemode: described(Schema.Boolean, "False if the event comes from a simulated e-invoicing network."),
  data: described(
    EventData,
    "`object` names the kind of the record, `id` the record, and `attributes` is what GET answered for it then. `deliveries`: the messages that an event named `mail_refused` reports."
  )
})

export const Event = Schema.Struct(fieldsOf(StoredName, Schema.Int)).annotate({
  identifier: "Event",
  description: "A fact about a record, as webhooks receive it."
})
export type Event = typeof Event.Type

/** The message of `POST /webhooks/{id}/test` belongs to no event, so it has no sequence number. */
export const test_event = "webhook.test"

export type TestEvent = Omit<Event, "type" | "event" | "sequence"> & {
  readonly type: typeof test_event
  readonly event: typeof test_event
  readonly sequence: null
}

/** An event or a test message as it is sent to a webhook. `body` is JSON. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly body: string
}

const stored = {
  organization_id: OrganizationId,
  sequence: described(Schema.Int, "Sequence number of the event in its organization, from 1, without gaps."),
  event_id: Schema.String,
  type: Schema.String,
  occurred_at: Timestamp
}

export const StoredEvent = Schema.Struct({ ...stored, data: EventData })
export type StoredEvent = typeof StoredEvent.Type

/** An event whose data is still the stored JSON text. Messages contain this text unchanged, so it is not parsed. */
export const EventText = Schema.Struct({ ...stored, data: Schema.String })
export type EventText = typeof EventText.Type

export const EventKey = Schema.Struct(Struct.pick(stored, ["organization_id", "sequence"]))
export type EventKey = typeof EventKey.Type

/** The types of events that are copied to the fiscal archive. */
export const archived_events: ReadonlyArray<EventName> = ["einvoice.sent", "einvoice.delivered", "einvoice.failed"]

/** True if the event is about a record of the sandbox, whose `environment` field is "sandbox". */
const isSimulated = (data: unknown): boolean =>
  Predicate.hasProperty(data, "attributes") &&
  Predicate.hasProperty(data.attributes, "environment") &&
  data.attributes.environment === "sandbox"

type Facts = Omit<StoredEvent, "data">

const envelopeOf = ({ event_id, occurred_at, organization_id, sequence, type }: Facts, simulated: boolean) => ({
  id: event_id,
  type,
  event: type,
  timestamp: occurred_at,
  organization_id,
  sequence,
  api_version: "v1" as const,
  livemode: !simulated
})

export const eventOf = ({ data, ...facts }: StoredEvent): Event => ({ ...envelopeOf(facts, isSimulated(data)), data })

export const messageOf = ({ data, ...facts }: EventText): Message => {
  // Parses the text only if it contains the word "sandbox", which every record of the sandbox has.
  const simulated = data.includes("sandbox") && isSimulated(JSON.parse(data))
  const envelope = JSON.stringify(envelopeOf(facts, simulated))
  return { id: facts.event_id, type: facts.type, body: `${envelope.slice(0, -1)},"data":${data}}` }
}

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

const Position = Schema.Struct({
  after: described(Schema.Int, "The requested sequence number."),
  next_after: described(Schema.Int, "Sequence number for the next request."),
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
  meta: described(Position, "Position of the page among the events.")
}).annotate({ identifier: "EventPage", description: "Events after a position, in the order in which they happened." })
export type EventPage = typeof EventPage.Type
