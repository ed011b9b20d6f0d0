import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { EventName } from "../../kernel/EventName.ts"
import { pageQuery } from "../../kernel/Envelope.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { EventPage } from "./Event.ts"
import { described, shownAs } from "../../kernel/Described.ts"

/** A sequence number; 0 is the beginning. */
const After = Schema.String.check(
  Schema.isPattern(/^\d{1,15}$/, {
    message: "must be a whole number of 0 or more.",
    ...shownAs({ type: "integer", minimum: 0 })
  })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

const isEventName = Schema.is(EventName)

const Types = Schema.String.check(
  Schema.makeFilter<string>((text) => text.split(",").every((name) => isEventName(name)), {
    message: "must be events of the catalog, separated by commas."
  })
).pipe(
  Schema.decodeTo(Schema.Array(EventName), {
    decode: SchemaGetter.transform((text) => [...new Set(text.split(",").filter(isEventName))]),
    encode: SchemaGetter.transform((names) => names.join(","))
  })
)

export class EventsApi extends HttpApiGroup.make("events")
  .annotateMerge(
    tag(
      "Events",
      "All events of the organization, in order, for clients that cannot receive webhooks or that missed some."
    )
  )
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        after: described(
          Schema.optionalKey(After),
          "Only events after this sequence number. Default: 0, the beginning."
        ),
        types: described(
          Schema.optionalKey(Types),
          "Only events with these names, separated by commas. A request searches 5,000 events: a page may be short or " +
            "empty although `has_more` is true, and `next_after` is the last event that was searched."
        ),
        per_page: pageQuery.per_page
      },
      success: EventPage
    }).annotateMerge(
      operation(
        "List events",
        "Returns events in the order of their `sequence`, which has no gaps: continue with `after`. A page ends after " +
          "8 MiB, so it may have fewer events than `per_page` although `has_more` is true."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/events") {}
