import { Command, Flag } from "effect/cli"
import { organization_id, paging, perform } from "../Root.ts"

const create = Command.make(
  "create",
  {
    organization_id,
    name: Flag.String("name"),
    iban: Flag.String("iban").pipe(Flag.withDescription("Identifies the account in its statements"), Flag.optional),
    account_number: Flag.String("account-number").pipe(
      Flag.withDescription("National number of an account without an IBAN"),
      Flag.optional
    ),
    bank_code: Flag.String("bank-code").pipe(
      Flag.withDescription("Sort code, routing or clearing number"),
      Flag.optional
    ),
    bic: Flag.String("bic").pipe(Flag.optional),
    currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217 code, e.g. EUR"))
  },
  (flags) => perform("CreateBankAccount", flags)
).pipe(Command.withDescription("Add a bank account to an organization"))

const bank_account_id = Flag.Int("account").pipe(Flag.withDescription("Id of the bank account"))

const archive = Command.make("archive", { organization_id, bank_account_id }, (flags) =>
  perform("ArchiveBankAccount", flags)
).pipe(Command.withDescription("Archive a bank account: it accepts no statements from then on"))

const reopen = Command.make("reopen", { organization_id, bank_account_id }, (flags) =>
  perform("ReopenBankAccount", flags)
).pipe(Command.withDescription("Reopen an archived bank account: it accepts statements again"))

const setOpening = Command.make(
  "set-opening",
  {
    organization_id,
    bank_account_id,
    opening_balance: Flag.String("balance").pipe(Flag.withDescription("Balance before the first line, e.g. 1500.00")),
    opening_balance_date: Flag.String("date").pipe(Flag.withDescription("Day whose lines come first, e.g. 2026-01-01"))
  },
  (flags) => perform("SetOpeningBalance", flags)
).pipe(Command.withDescription("Store the balance before the lines of a day"))

const setBalance = Command.make(
  "set-balance",
  {
    organization_id,
    bank_account_id,
    balance: Flag.String("balance").pipe(Flag.withDescription("Balance that the bank reports, e.g. 1500.00")),
    at: Flag.String("at").pipe(Flag.withDescription("Time of the balance, in RFC 3339 or as a day, e.g. 2026-01-31"))
  },
  (flags) => perform("SetProviderBalance", flags)
).pipe(
  Command.withDescription(
    "Store the balance that the bank reports; the reconciliation report compares its lines with it"
  )
)

const list = Command.make("list", { organization_id, ...paging }, (flags) =>
  perform("ListBankAccounts", flags, ["id", "name", "iban", "currency", "status", "unmatched_count"])
).pipe(Command.withDescription("List the bank accounts of an organization"))

export const bankAccount = Command.make("bank-account").pipe(
  Command.withDescription("Bank accounts"),
  Command.withSubcommands([create, archive, reopen, setOpening, setBalance, list])
)
