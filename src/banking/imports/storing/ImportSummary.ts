import type { Timestamp } from "../../../kernel/Calendar.ts"
import { exponentOf } from "../../../kernel/Currency.ts"
import type { BankImportId } from "../../../kernel/Ids.ts"
import { formatAmount } from "../../../kernel/Money.ts"
import type { BankAccount } from "../../accounts/BankAccount.ts"
import type { PreparedFile } from "../../preparation/Preparations.ts"
import { asIban } from "../../records/Statement.ts"
import type { ImportForm } from "../session/ImportForm.ts"
import { errors_max, type ImportSession, type Warning } from "../session/ImportSession.ts"
import type { Stored } from "./StatementImportsRepo.ts"

/** Returns the account number of the first statement that contains one, if the account has no number yet. */
export const numberIn = (
  { account_number, iban }: BankAccount,
  { statements }: PreparedFile
): Pick<BankAccount, "iban" | "account_number"> | undefined => {
  const named = statements.find(({ account }) => account !== null)?.account ?? null
  if (named === null || iban !== null || account_number !== null) return undefined
  return asIban(named) === undefined ? { iban: null, account_number: named } : { iban: named, account_number: null }
}

export interface Facts {
  readonly account: BankAccount
  readonly form: ImportForm
  readonly file: PreparedFile
  readonly warnings: ReadonlyArray<Warning>
  readonly created_at: Timestamp
}

export const summaryOf = (
  id: BankImportId | null,
  { account, created_at, file, form, warnings }: Facts,
  { imported, suggested }: Stored
): ImportSession => {
  const { credits, debits, errors, first_day, format, last_day, lines_total, statements } = file
  const exponent = exponentOf(account.currency)
  const opening = statements[0]?.opening ?? null
  const closing = statements.at(-1)?.closing ?? null
  return {
    id,
    bank_account_id: account.id,
    format,
    filename: form.filename,
    file_sha256: form.file_sha256,
    duplicate_file: false,
    statements: statements.length,
    period_start: opening?.date ?? first_day,
    period_end: closing?.date ?? last_day,
    opening_balance: opening === null ? null : formatAmount(opening.amount, exponent),
    closing_balance: closing === null ? null : formatAmount(closing.amount, exponent),
    balance_check: balanceCheck(statements.map(({ balance_check }) => balance_check)),
    lines_total,
    imported,
    duplicates: lines_total - imported,
    skipped_pending: statements.reduce((sum, { skipped_pending }) => sum + skipped_pending, 0),
    errors: errors.slice(0, errors_max),
    errors_total: errors.length,
    ...(warnings.length === 0 ? {} : { warnings }),
    suggested,
    auto_booked: 0,
    credits,
    debits,
    created_at
  }
}

type Check = ImportSession["balance_check"]

/** Returns `failed` if one statement does not add up, else `unavailable` if one statement lacks a balance. */
const balanceCheck = (checks: ReadonlyArray<Check>): Check =>
  checks.includes("failed") ? "failed" : checks.includes("unavailable") ? "unavailable" : "passed"
