import { BigDecimal, Result } from "effect"
import type { Timestamp } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { BankImportId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { BankAccount } from "../accounts/BankAccount.ts"
import { addsUp, asAccount, asIban, type Statement, type StatementLine } from "../records/Statement.ts"
import { InvalidStatement, StatementUnbalanced } from "../records/StatementErrors.ts"
import type { StatementFile } from "../statements/StatementFile.ts"
import { AccountMismatch } from "./ImportErrors.ts"
import type { ImportForm } from "./ImportForm.ts"
import type { ImportSession, Warning } from "./ImportSession.ts"
import type { NewLine } from "./StatementImportsRepo.ts"

/** The parts of a statement file that concern one account. */
export interface Own extends Omit<StatementFile, "statements"> {
  readonly statements: ReadonlyArray<Statement>
  readonly lines: ReadonlyArray<StatementLine>
}

/** Picks the account's statements out of a file that may cover several accounts; a file without any is refused. */
export const ownStatements = (
  account: BankAccount,
  file: StatementFile
): Result.Result<Own, AccountMismatch | InvalidStatement> => {
  const { statements } = file
  const isOwn = (statement: Statement) =>
    (statement.account === null || isNamed(statement.account, account)) &&
    (statement.currency === null || statement.currency === account.currency)
  const own = statements.filter(isOwn)
  // An account without an IBAN accepts any account number, so a file that names several accounts is refused.
  const named = new Set(own.flatMap(({ account }) => (account === null ? [] : [account])))
  if (own.length === 0 || named.size > 1) {
    const accounts = statements.map(({ account, currency }) => [account, currency].filter(Boolean).join(" "))
    return Result.fail(AccountMismatch.of([...new Set(accounts)].slice(0, accounts_shown_max)))
  }
  const lines = own.flatMap((statement) => statement.lines)
  const foreign = lines.find((line) => line.currency !== account.currency)
  return foreign === undefined
    ? Result.succeed({ ...file, statements: own, lines })
    : Result.fail(InvalidStatement.of(`it has a line in ${foreign.currency}, the account is in ${account.currency}`))
}
const accounts_shown_max = 20

/** A statement names its account by IBAN, or by the national number that the IBAN ends with, or by bank and account. */
const isNamed = (name: string, { account_number, bank_code, iban }: BankAccount): boolean => {
  const number = asAccount(account_number ?? "")
  const whole = asAccount(`${bank_code ?? ""}${account_number ?? ""}`)
  const names = [iban, iban?.slice(4), number, whole].filter((known) => known !== null && known !== undefined)
  return names.length === 0 || names.includes(name)
}

/** The number that an account without one takes from its first statement. */
export const numberIn = (
  { account_number, iban }: BankAccount,
  { statements }: Own
): Pick<BankAccount, "iban" | "account_number"> | undefined => {
  const named = statements.find(({ account }) => account !== null)?.account ?? null
  if (named === null || iban !== null || account_number !== null) return undefined
  return asIban(named) === undefined ? { iban: null, account_number: named } : { iban: named, account_number: null }
}

/** Refuses a statement whose lines do not lead from its opening to its closing balance. */
export const requireBalanced = (
  { statements }: Own,
  { currency }: BankAccount
): Result.Result<void, StatementUnbalanced> => {
  const text = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(currency))
  for (const { closing, lines, opening } of statements) {
    if (opening === null || closing === null || addsUp(opening, lines, closing)) continue
    const computed = BigDecimal.sum(opening.amount, BigDecimal.sumAll(lines.map(({ amount }) => amount)))
    const figures = { opening: text(opening.amount), computed: text(computed), closing: text(closing.amount) }
    return Result.fail(StatementUnbalanced.of(figures))
  }
  return Result.succeed(undefined)
}

interface Facts {
  readonly account: BankAccount
  readonly form: ImportForm
  readonly own: Own
  readonly lines: ReadonlyArray<NewLine>
  readonly warnings: ReadonlyArray<Warning>
  readonly created_at: Timestamp
}

/** Summarizes an import; `inserted` holds the positions of the lines that were new. */
export const summaryOf = (
  id: BankImportId | null,
  { account, created_at, form, lines, own, warnings }: Facts,
  inserted: ReadonlyArray<{ readonly position: number }>
): ImportSession => {
  const { errors, format, statements } = own
  const exponent = exponentOf(account.currency)
  const days = own.lines.map(({ booking_date }) => booking_date).toSorted()
  const opening = statements[0]?.opening ?? null
  const closing = statements.at(-1)?.closing ?? null
  const tally = (part: ReadonlyArray<StatementLine>) => ({
    count: part.length,
    sum: formatAmount(BigDecimal.sumAll(part.map(({ amount }) => amount)), exponent)
  })
  const isNew = new Set(inserted.map(({ position }) => position))
  return {
    id,
    bank_account_id: account.id,
    format,
    filename: form.filename,
    file_sha256: form.file_sha256,
    duplicate_file: false,
    statements: statements.length,
    period_start: opening?.date ?? days[0] ?? null,
    period_end: closing?.date ?? days.at(-1) ?? null,
    opening_balance: opening === null ? null : formatAmount(opening.amount, exponent),
    closing_balance: closing === null ? null : formatAmount(closing.amount, exponent),
    balance_check: balanceCheck(statements),
    lines_total: lines.length,
    imported: inserted.length,
    duplicates: lines.length - inserted.length,
    skipped_pending: statements.reduce((sum, { skipped_pending }) => sum + skipped_pending, 0),
    errors,
    ...(warnings.length === 0 ? {} : { warnings }),
    suggested: lines.filter(({ position, status }) => status === "suggested" && isNew.has(position)).length,
    auto_booked: 0,
    credits: tally(own.lines.filter(({ amount }) => BigDecimal.isPositive(amount))),
    debits: tally(own.lines.filter(({ amount }) => BigDecimal.isNegative(amount))),
    created_at
  }
}

/** The check fails when one statement does not add up, and is unavailable when one lacks a balance. */
const balanceCheck = (statements: ReadonlyArray<Statement>): ImportSession["balance_check"] => {
  const checks = statements.map(({ closing, lines, opening }) =>
    opening === null || closing === null ? "unavailable" : addsUp(opening, lines, closing) ? "passed" : "failed"
  )
  return checks.includes("failed") ? "failed" : checks.includes("unavailable") ? "unavailable" : "passed"
}
