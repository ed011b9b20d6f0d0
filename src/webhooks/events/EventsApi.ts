import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { pageQuery } from "../../kernel/Envelope.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { EventPage } from "./Event.ts"

/** A sequence number; 0 stands for the beginning. */
const After = Schema.String.check(
  Schema.isPattern(/^\d{1,15}$/, { message: "must be a whole number of 0 or more." })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

/** Lists the events of an organization by `sequence`, which has no gaps, for receivers that missed deliveries. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { after: Schema.optionalKey(After), per_page: pageQuery.per_page },
      success: EventPage
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/events") {}
