import { BigDecimal, Result } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { BankAccount } from "../accounts/BankAccount.ts"
import { addsUp, type KeptStatement, sumOf } from "../records/KeptLines.ts"
import { asAccount } from "../records/Statement.ts"
import { AccountMismatch, InvalidStatement, StatementUnbalanced } from "../records/StatementErrors.ts"
import type { KeptFile } from "../statements/formats/StatementFile.ts"

type Account = Pick<BankAccount, "account_number" | "bank_code" | "currency" | "iban">

/** Returns the statements of the account. A file may also cover other accounts, but needs a statement of this one. */
export const ownStatements = (
  account: Account,
  file: KeptFile
): Result.Result<KeptFile, AccountMismatch | InvalidStatement> => {
  const { statements } = file
  const isOwn = (statement: KeptStatement) =>
    (statement.account === null || isNamed(statement.account, account)) &&
    (statement.currency === null || statement.currency === account.currency)
  const own = statements.filter(isOwn)
  // An account without IBAN and number accepts any statement, so a file with statements of several accounts is refused.
  const named = new Set(own.flatMap(({ account }) => (account === null ? [] : [account])))
  if (own.length === 0 || named.size > 1) {
    const accounts = statements.map(({ account, currency }) => [account, currency].filter(Boolean).join(" "))
    return Result.fail(AccountMismatch.of([...new Set(accounts)].slice(0, accounts_shown_max)))
  }
  const foreign = own.flatMap(({ lines }) => [...lines.currencies]).find((currency) => currency !== account.currency)
  const others = statements.filter((statement) => !isOwn(statement))
  const lines_of_others = others.reduce((sum, { lines }) => sum + lines.count, file.lines_of_others ?? 0)
  return foreign === undefined
    ? Result.succeed({ ...file, statements: own, lines_of_others })
    : Result.fail(InvalidStatement.of(`it has a line in ${foreign}, but the account is in ${account.currency}`))
}
const accounts_shown_max = 20

/**
 * Refuses the statements of another account. An account without a number may have been given one by another import while
 * the statements were prepared for it.
 */
export const requireNamed = (
  account: Account,
  statements: ReadonlyArray<Pick<KeptStatement, "account">>
): Result.Result<void, AccountMismatch> => {
  const foreign = statements.flatMap(({ account: name }) => (name === null || isNamed(name, account) ? [] : [name]))
  return foreign.length === 0
    ? Result.succeed(undefined)
    : Result.fail(AccountMismatch.of([...new Set(foreign)].slice(0, accounts_shown_max)))
}

/**
 * True if the name is that of the account: its IBAN, the national number at the end of the IBAN, its number, or bank
 * code and number. An account without IBAN and number may have any name.
 */
const isNamed = (name: string, { account_number, bank_code, iban }: Account): boolean => {
  const number = asAccount(account_number ?? "")
  const whole = asAccount(`${bank_code ?? ""}${account_number ?? ""}`)
  const names = [iban, iban?.slice(4), number, whole].filter((known) => known !== null && known !== undefined)
  return names.length === 0 || names.includes(name)
}

/** Refuses statements in which the opening balance and the lines do not add up to the closing balance. */
export const requireBalanced = (
  { statements }: KeptFile,
  { currency }: Account
): Result.Result<void, StatementUnbalanced> => {
  const text = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(currency))
  for (const { closing, lines, opening } of statements) {
    if (opening === null || closing === null || addsUp({ opening, lines, closing })) continue
    const computed = BigDecimal.sum(opening.amount, sumOf(lines))
    const figures = { opening: text(opening.amount), computed: text(computed), closing: text(closing.amount) }
    return Result.fail(StatementUnbalanced.of(figures))
  }
  return Result.succeed(undefined)
}
