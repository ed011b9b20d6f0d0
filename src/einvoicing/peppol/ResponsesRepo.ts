import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { mayBeAbout } from "../documents/LateStatusesRepo.ts"
import { ReceivedLevelResponse, ReceivedResponse } from "./InvoiceResponse.ts"
import { traced } from "../../platform/sql/Traced.ts"

const message = {
  organization_id: OrganizationId,
  message_id: Schema.String,
  received_at: Timestamp,
  content: Schema.Uint8Array
}

const Kept = Schema.Struct({ ...ReceivedResponse.fields, ...message, sender: Schema.String })
const KeptLevelResponse = Schema.Struct({ ...ReceivedLevelResponse.fields, ...message })

const { document_type, number, organization_id, sender } = Kept.fields

/** Responses to documents of an organization: of their recipients, and of the access points of these recipients. */
export class ResponsesRepo extends Context.Service<ResponsesRepo>()("invoicing/einvoicing/peppol/ResponsesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    const add = SqlSchema.void({
      Request: Kept,
      execute: (row) => sql`
          insert into invoice_responses ${sql.insert(row)} on conflict (organization_id, message_id) do nothing`
    })

    /** Finds the answers of a recipient to one submission of a document, the oldest first. */
    const answers = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id, number, document_type, sender, since: Timestamp }),
      Result: Kept,
      execute: ({ document_type, number, organization_id, sender, since }) => sql`
          select organization_id, message_id, received_at, sender, number, document_type, code, reason, stated_at, content
          from invoice_responses s
          where organization_id = ${organization_id} and number = ${number} and document_type = ${document_type}
            and lower(sender) = lower(${sender}) and received_at >= ${since}
            and ${mayBeAbout(sql, "peppol", since)}
          order by received_at, message_id`
    })

    const addLevelResponse = SqlSchema.void({
      Request: KeptLevelResponse,
      execute: (row) => sql`
          insert into level_responses ${sql.insert(row)} on conflict (organization_id, message_id) do nothing`
    })

    /** Finds the responses of the recipient's access point to the document in an envelope, the oldest first. */
    const levelResponses = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id, envelope_id: Schema.String }),
      Result: KeptLevelResponse,
      execute: ({ envelope_id, organization_id }) => sql`
          select organization_id, message_id, received_at, envelope_id, code, content from level_responses
          where organization_id = ${organization_id} and envelope_id = ${envelope_id}
          order by received_at, message_id`
    })

    return traced("ResponsesRepo", { add, answers, addLevelResponse, levelResponses })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
