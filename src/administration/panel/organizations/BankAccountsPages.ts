import { Effect, Layer } from "effect"
import { AccountAdministration } from "../../../banking/accounts/AccountAdministration.ts"
import type { BankAccount } from "../../../banking/accounts/BankAccount.ts"
import { exponentOf } from "../../../kernel/Currency.ts"
import { BankAccountId } from "../../../kernel/Ids.ts"
import { formatAmount } from "../../../kernel/Money.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage, moment } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const place = partOf("bank-accounts", "bank accounts")

const balance = ({ currency, provider_balance, provider_balance_at }: BankAccount) =>
  provider_balance === null || provider_balance_at === null
    ? "no balance known"
    : html`${formatAmount(provider_balance, exponentOf(currency))} ${currency} at ${moment(provider_balance_at)}`

const list = listPage(place, {
  load: organizationOf,
  title: ({ name }) => `Bank accounts of ${name}`,
  buttons: { new: "Add a bank account" },
  rows: (request, { id }) => Effect.flatMap(AccountAdministration, (accounts) => accounts.list(id, request)),
  row: (account) => ({
    name: account.name,
    tags: account.status === "archived" ? ["archived"] : [],
    small: html`${account.iban ?? account.account_number ?? "no IBAN"} · ${account.currency} · ${balance(account)}`,
    actions:
      account.status === "archived"
        ? { [`${account.id}/reopen`]: "Reopen" }
        : {
            [`${account.id}/balance`]: "Set balance",
            [`${account.id}/opening-balance`]: "Set opening balance",
            [`${account.id}/archive`]: "Archive"
          }
  }),
  none: "There is no bank account."
})

const upperCase = (text: string) => text.toUpperCase()

const add = procedureForm("CreateBankAccount", place, {
  path: "new",
  load: organizationOf,
  title: "Add a bank account",
  submit: "Add the bank account",
  questions: {
    name: {},
    // Users type an IBAN as banks print it, in groups of four.
    iban: { hint: "If it has one", characters_max: 42, spelled: (text) => upperCase(text.replaceAll(" ", "")) },
    account_number: { hint: "If it has no IBAN", characters_max: 34 },
    bank_code: { hint: "Sort code, routing or clearing number", characters_max: 34 },
    bic: { hint: "If it is known", characters_max: 11, spelled: upperCase },
    currency: { value: ({ currency }) => currency, characters_max: 3, spelled: upperCase }
  },
  at: { IbanTaken: "iban" }
})

const accountOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id } = yield* organizationOf(asked)
  return yield* (yield* AccountAdministration).find(id, yield* idOf(BankAccountId, asked.params["bank_account_id"]))
})

const setBalance = procedureForm("SetProviderBalance", place, {
  path: ":bank_account_id/balance",
  load: accountOf,
  title: ({ name }) => `Balance of ${name}`,
  submit: "Set the balance",
  before: () => html`<p class="muted">The bank's own figure; the reconciliation report compares its lines with it.</p>`,
  questions: {
    balance: { characters_max: 30, spelled: (text) => text.replace(",", ".") },
    at: { hint: "2026-03-31 or 2026-03-31T22:00:00Z", characters_max: 40 }
  }
})

const setOpeningBalance = procedureForm("SetOpeningBalance", place, {
  path: ":bank_account_id/opening-balance",
  load: accountOf,
  title: ({ name }) => `Opening balance of ${name}`,
  submit: "Set the opening balance",
  before: () =>
    html`<p class="muted">
      The reconciliation report starts from this balance instead of the opening balance of the first statement.
    </p>`,
  questions: {
    opening_balance: {
      value: ({ currency, opening_balance }) =>
        opening_balance === null ? null : formatAmount(opening_balance, exponentOf(currency)),
      characters_max: 30,
      spelled: (text) => text.replace(",", ".")
    },
    opening_balance_date: {
      hint: "The account had this balance before the lines of this day, e.g. 2026-01-01",
      value: ({ opening_balance_date }) => opening_balance_date,
      characters_max: 10
    }
  }
})

const archive = procedureForm("ArchiveBankAccount", place, {
  path: ":bank_account_id/archive",
  load: accountOf,
  title: ({ name }) => `Archive ${name}?`,
  submit: "Archive the bank account",
  danger: true,
  before: () =>
    html`<p>
      It takes no statements from then on, until it is reopened here. Its lines stay, and can still be matched.
    </p>`
})

const reopen = procedureForm("ReopenBankAccount", place, {
  path: ":bank_account_id/reopen",
  load: accountOf,
  title: ({ name }) => `Reopen ${name}?`,
  submit: "Reopen the bank account",
  before: () => html`<p>It takes statements again from then on.</p>`
})

export const BankAccountsRoutes = Layer.mergeAll(list, add, setBalance, setOpeningBalance, archive, reopen)
