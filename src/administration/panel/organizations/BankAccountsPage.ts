import { BigDecimal } from "effect"
import type { BankAccount } from "../../../banking/accounts/BankAccount.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import type { Organization } from "../../../organizations/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { moment, panelList } from "../PanelList.ts"
import { toOrganization } from "./OrganizationsPage.ts"

const section = "/admin/organizations"

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

export const bankAccountsPage = (
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
                    aria-label="Set the balance of ${account.name}"
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

export const newAccountPage = (organization: Organization, typed: Typed): PanelContent => ({
  title: "Add a bank account",
  section,
  back: toAccounts(organization),
  body: panelForm({
    typed,
    submit: "Add the bank account",
    cancel: pathOf(organization),
    fields: [
      { name: "name", label: "Name", required: true, characters_max: 255 },
      { name: "iban", label: "IBAN", hint: "If it has one", characters_max: 42 },
      { name: "account_number", label: "Account number", hint: "If it has no IBAN", characters_max: 34 },
      { name: "bank_code", label: "Bank code", hint: "Sort code, routing or clearing number", characters_max: 34 },
      { name: "bic", label: "BIC", hint: "If it is known", characters_max: 11 },
      { name: "currency", label: "Currency", value: organization.currency, required: true, characters_max: 3 }
    ]
  })
})

export const balancePage = ({ account, organization }: Held, typed: Typed): PanelContent => ({
  title: `Balance of ${account.name}`,
  section,
  back: toAccounts(organization),
  body: panelForm({
    typed,
    submit: "Set the balance",
    cancel: pathOf(organization),
    before: html`<p class="muted">What the bank says; the reconciliation report compares its lines with it.</p>`,
    fields: [
      { name: "balance", label: `Balance in ${account.currency}`, required: true, characters_max: 30 },
      { name: "at", label: "At", hint: "2026-03-31 or 2026-03-31T22:00:00Z", required: true, characters_max: 40 }
    ]
  })
})

export const archiveAccountPage = ({ account, organization }: Held, typed: Typed): PanelContent => ({
  title: `Archive ${account.name}?`,
  section,
  back: toAccounts(organization),
  body: panelForm({
    typed,
    submit: "Archive the bank account",
    danger: true,
    cancel: pathOf(organization),
    before: html`<p>
      It takes no statements from then on. Its lines stay, and can still be matched. There is no way back in this panel.
    </p>`
  })
})
