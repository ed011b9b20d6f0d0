import { BigDecimal, Effect, Layer } from "effect"
import { AccountAdministration } from "../../../banking/accounts/AccountAdministration.ts"
import type { BankAccount } from "../../../banking/accounts/BankAccount.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { BankAccountId } from "../../../kernel/Ids.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { ArchiveBankAccount, CreateBankAccount, SetProviderBalance } from "../../AdministrationRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { idOf, pageOf } from "../PanelInput.ts"
import { moment, panelList } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, toOrganization } from "./Organizations.ts"

const section = "/admin/organizations"
const path = "/admin/organizations/:organization_id/bank-accounts"

const pathOf = ({ id }: Organization) => `${section}/${id}/bank-accounts`

const toAccounts = (organization: Organization) => ({
  path: pathOf(organization),
  label: `the bank accounts of ${organization.name}`
})

/** An account with the organization that it belongs to. */
interface Held {
  readonly organization: Organization
  readonly account: BankAccount
}

const balance = ({ currency, provider_balance, provider_balance_at }: BankAccount) =>
  provider_balance === null || provider_balance_at === null
    ? "no balance told"
    : html`${BigDecimal.format(provider_balance)} ${currency} at ${moment(provider_balance_at)}`

const bankAccountsPage = (
  organization: Organization,
  slice: PageRows<BankAccount>,
  request: PageRequest
): PanelContent => ({
  title: `Bank accounts of ${organization.name}`,
  section,
  back: toOrganization(organization),
  body: html`<p><a class="button" href="${pathOf(organization)}/new">Add a bank account</a></p>
    ${panelList({
      slice,
      request,
      path: pathOf(organization),
      none: "There is no bank account.",
      row: (account) =>
        html`<div>
            ${account.name} ${account.status === "archived" ? html`<span class="tag">archived</span>` : null}<br />
            <small
              >${account.iban ?? account.account_number ?? "no IBAN"} · ${account.currency} · ${balance(account)}</small
            >
          </div>
          ${
            account.status === "archived"
              ? null
              : html`<div class="actions">
                  <a
                    class="button quiet"
                    href="${pathOf(organization)}/${account.id}/balance"
                    aria-label="Set balance: ${account.name}"
                    >Set balance</a
                  >
                  <a
                    class="button quiet"
                    href="${pathOf(organization)}/${account.id}/archive"
                    aria-label="Archive ${account.name}"
                    >Archive</a
                  >
                </div>`
          }`
    })}`
})

const list = showPage(
  path,
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return bankAccountsPage(organization, yield* (yield* AccountAdministration).list(organization.id, request), request)
  })
)

const upperCase = (text: string) => text.toUpperCase()

const add = procedureForm(CreateBankAccount, {
  path: `${path}/new`,
  load: organizationOf,
  title: "Add a bank account",
  section,
  back: toAccounts,
  submit: "Add the bank account",
  questions: {
    name: { label: "Name" },
    // People type an IBAN as banks print it, in groups of four.
    iban: {
      label: "IBAN",
      hint: "If it has one",
      characters_max: 42,
      spelled: (text) => text.replaceAll(" ", "").toUpperCase()
    },
    account_number: { label: "Account number", hint: "If it has no IBAN", characters_max: 34 },
    bank_code: { label: "Bank code", hint: "Sort code, routing or clearing number", characters_max: 34 },
    bic: { label: "BIC", hint: "If it is known", characters_max: 11, spelled: upperCase },
    currency: { label: "Currency", value: ({ currency }) => currency, characters_max: 3, spelled: upperCase }
  },
  given: ({ id }) => Effect.succeed({ organization_id: id }),
  call: (procedures, payload) => procedures.CreateBankAccount(payload),
  at: { IbanTaken: "iban" },
  done: (organization) => `${pathOf(organization)}?done=account`
})

const accountOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const organization = yield* organizationOf(asked)
  const id = yield* idOf(BankAccountId, asked.params["bank_account_id"])
  return { organization, account: yield* (yield* AccountAdministration).find(organization.id, id) }
})

const ofAccount = {
  load: accountOf,
  section,
  back: ({ organization }: Held) => toAccounts(organization),
  given: ({ account, organization }: Held) =>
    Effect.succeed({ organization_id: organization.id, bank_account_id: account.id })
} as const

const setBalance = procedureForm(SetProviderBalance, {
  ...ofAccount,
  path: `${path}/:bank_account_id/balance`,
  title: ({ account }) => `Balance of ${account.name}`,
  submit: "Set the balance",
  before: () => html`<p class="muted">The bank's own figure; the reconciliation report compares its lines with it.</p>`,
  questions: {
    balance: { label: "Balance", characters_max: 30, spelled: (text) => text.replace(",", ".") },
    at: { label: "At", hint: "2026-03-31 or 2026-03-31T22:00:00Z", characters_max: 40 }
  },
  call: (procedures, payload) => procedures.SetProviderBalance(payload),
  done: ({ organization }) => `${pathOf(organization)}?done=balance`
})

const archive = procedureForm(ArchiveBankAccount, {
  ...ofAccount,
  path: `${path}/:bank_account_id/archive`,
  title: ({ account }) => `Archive ${account.name}?`,
  submit: "Archive the bank account",
  danger: true,
  before: () =>
    html`<p>
      It takes no statements from then on. Its lines stay, and can still be matched. There is no way back in this panel.
    </p>`,
  call: (procedures, payload) => procedures.ArchiveBankAccount(payload),
  done: ({ organization }) => `${pathOf(organization)}?done=account_archived`
})

export const BankAccountsRoutes = Layer.mergeAll(list, add, setBalance, archive)
