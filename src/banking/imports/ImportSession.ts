import { Schema } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { BankAccountId, BankImportId } from "../../kernel/Ids.ts"
import { StatementFormat } from "../statements/Statement.ts"

const Tally = Schema.Struct({ count: Schema.Int, sum: Schema.String })

/** What became of a statement file; contract section 10. Amounts are decimal text. */
export const ImportSession = Schema.Struct({
  /** Null: a dry run, which stores nothing. */
  id: Schema.NullOr(BankImportId),
  bank_account_id: BankAccountId,
  format: StatementFormat,
  filename: Schema.String,
  file_sha256: Schema.String,
  duplicate_file: Schema.Boolean,
  statements: Schema.Int,
  period_start: Schema.NullOr(Day),
  period_end: Schema.NullOr(Day),
  opening_balance: Schema.NullOr(Schema.String),
  closing_balance: Schema.NullOr(Schema.String),
  /** Whether the lines lead from the one balance to the other. */
  balance_check: Schema.Literals(["passed", "failed", "unavailable"]),
  lines_total: Schema.Int,
  imported: Schema.Int,
  duplicates: Schema.Int,
  skipped_pending: Schema.Int,
  errors: Schema.Array(Schema.Struct({ row: Schema.Int, message: Schema.String })),
  suggested: Schema.Int,
  auto_booked: Schema.Int,
  credits: Tally,
  debits: Tally,
  created_at: Timestamp
})
export type ImportSession = typeof ImportSession.Type
