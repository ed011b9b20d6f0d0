import type { Fragment } from "effect/sql/Statement"
import type { SqlClient } from "effect/sql"
import type { Timestamp } from "../../kernel/Calendar.ts"
import type { ProviderCode } from "../providers/Network.ts"

/**
 * A status that states an earlier time than this before a submission is not about this submission. The time may have no
 * zone, and the clocks of networks differ.
 */
const stated_before_max = "1 day"

/**
 * SQL condition: the status `s` may be about the submission of `since`. A status names only the number of its document, so
 * if the document was submitted more than once, the time that the status states decides, if it states one.
 */
export const mayBeAbout = (
  sql: SqlClient.SqlClient,
  provider: ProviderCode,
  since: typeof Timestamp.Encoded
): Fragment => sql`(
  coalesce(s.stated_at >= ${since}::timestamptz - ${stated_before_max}::interval, true)
  or (select count(*) from einvoices e where e.organization_id = s.organization_id and e.provider = ${provider}
    and e.number = s.number and (e.credit_note_id is not null) = (s.document_type = 'credit_note')) < 2)`
