import { BigDecimal, Context, Effect, Layer, Schema } from "effect"
import { AccountAdministration } from "../banking/accounts/AccountAdministration.ts"
import { BankAccountDraft } from "../banking/accounts/BankAccount.ts"
import { StatementImports } from "../banking/imports/StatementImports.ts"
import { BankRuleDraft } from "../banking/rules/BankRule.ts"
import { BankRules } from "../banking/rules/BankRules.ts"
import type { Invoice } from "../billing/invoices/Invoice.ts"
import { addDays, type Day, now } from "../kernel/Calendar.ts"
import { todayHere } from "../platform/http/Today.ts"
import { zero } from "../kernel/Money.ts"
import { sha256Hex } from "../platform/crypto/Digest.ts"
import { type Caller, CurrentOrganization } from "../platform/http/Security.ts"
import type { DemoBankAccount, DemoBankLine } from "./DemoOrganization.ts"

const actor = "admin"

/** Creates a demo organization's bank account with its first statement. Dies if a service refuses the demo's data. */
export class DemoBank extends Context.Service<
  DemoBank,
  {
    readonly open: (bank: DemoBankAccount, invoices: ReadonlyArray<Invoice>) => Effect.Effect<void, never, Caller>
  }
>()("invoicing/demo/DemoBank") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const accounts = yield* AccountAdministration
      const rules = yield* BankRules
      const imports = yield* StatementImports

      const open = Effect.fn("DemoBank.open")(function* (bank: DemoBankAccount, invoices: ReadonlyArray<Invoice>) {
        const { id: organization_id } = yield* CurrentOrganization
        const today = yield* todayHere
        const account = yield* accounts.open(organization_id, yield* decodeAccount(bank.details), actor)
        yield* rules.create(yield* decodeRule(bank.rule))
        const rows = bank.lines.map((line) => rowOf(line, invoices, today))
        const bytes = new TextEncoder().encode(["Date;Amount;Name;Description", ...rows.map(textOf)].join("\n"))
        yield* imports.take(account.id, {
          content: bytes,
          filename: `statement-${today}.csv`,
          file_sha256: sha256Hex(bytes),
          format: "csv",
          mapping: undefined,
          strict: true,
          dry_run: false,
          accept_unbalanced: false,
          accept_overlap: false
        })
        const balance = BigDecimal.sumAll(rows.map(({ amount }) => amount))
        yield* accounts.setProviderBalance(organization_id, account.id, { balance, at: yield* now }, actor)
      }, Effect.orDie)

      return DemoBank.of({ open })
    })
  ).pipe(Layer.provide([AccountAdministration.layer, BankRules.layer, StatementImports.layer]))
}

const decodeAccount = Schema.decodeEffect(BankAccountDraft)
const decodeRule = Schema.decodeEffect(BankRuleDraft)

const rowOf = (line: DemoBankLine, invoices: ReadonlyArray<Invoice>, today: Day) => {
  const day = addDays(today, line.booked)
  if (!("pays" in line)) return { ...line, day, amount: BigDecimal.fromStringUnsafe(line.amount) }
  const invoice = invoices[line.pays]
  return {
    day,
    amount: invoice?.balance_due ?? zero,
    name: invoice?.customer.name ?? "",
    text: invoice?.number ?? ""
  }
}

const textOf = ({ amount, day, name, text }: ReturnType<typeof rowOf>): string =>
  [day, BigDecimal.format(amount), name, text].join(";")
