import { BigDecimal } from "effect"
import type { StoredTaxRate } from "../../../billing/taxes/TaxRate.ts"
import { TaxCategory } from "../../../billing/lines/Tax.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import type { Organization } from "../../../organizations/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { type Field, panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { panelList } from "../PanelList.ts"
import { toOrganization } from "./OrganizationsPage.ts"

const section = "/admin/organizations"

const pathOf = ({ id }: Organization) => `${section}/${id}/tax-rates`

const toRates = (organization: Organization) => ({
  path: pathOf(organization),
  label: `the tax rates of ${organization.name}`
})

/** Meanings of the UNCL 5305 codes; `TaxCategory` explains them. */
const meanings: Readonly<Record<TaxCategory, string>> = {
  S: "standard or reduced rate",
  Z: "zero rated",
  E: "exempt",
  AE: "reverse charge",
  K: "intra-community supply",
  G: "export",
  O: "not subject to tax",
  L: "Canary Islands (IGIC)",
  M: "Ceuta and Melilla (IPSI)"
}

const percent = (rate: StoredTaxRate) => BigDecimal.format(rate.rate)

export const taxRatesPage = (
  organization: Organization,
  slice: PageRows<StoredTaxRate>,
  request: PageRequest
): PanelContent => ({
  title: `Tax rates of ${organization.name}`,
  section,
  back: toOrganization(organization),
  body: html`<p class="row">
      <a class="button" href="${pathOf(organization)}/new">Add a tax rate</a>
      <a class="button quiet" href="${pathOf(organization)}/defaults">Choose the default rates</a>
    </p>
    ${panelList({
      slice,
      request,
      path: pathOf(organization),
      none: "There is no tax rate.",
      row: (rate) =>
        html`<div>
            ${rate.name} ${rate.is_default ? html`<span class="tag">default</span>` : null}
            ${rate.archived ? html`<span class="tag">archived</span>` : null}<br />
            <small
              >${[
                `${percent(rate)} %`,
                rate.country,
                `${rate.category}: ${meanings[rate.category]}`,
                rate.exemption_code
              ]
                .filter((part) => part !== null)
                .join(", ")}</small
            >
          </div>
          <div class="actions">
            <a class="button quiet" href="${pathOf(organization)}/${rate.id}" aria-label="Change ${rate.name}"
              >Change</a
            >
          </div>`
    })}`
})

const questions = (rate?: StoredTaxRate): ReadonlyArray<Field> => [
  { name: "name", label: "Name", value: rate?.name ?? "", required: true, characters_max: 255 },
  {
    name: "rate",
    label: "Percent",
    hint: "E.g. 21 or 5.5",
    value: rate === undefined ? "" : percent(rate),
    required: true,
    characters_max: 20
  },
  {
    name: "category",
    label: "Category",
    value: rate?.category ?? "S",
    choices: TaxCategory.literals.map((category) => ({ value: category, label: `${category}: ${meanings[category]}` }))
  },
  {
    name: "country",
    label: "Country (One Stop Shop)",
    hint: "Only for sales that are taxed in another country of the EU, e.g. DE",
    value: rate?.country ?? "",
    characters_max: 2
  },
  {
    name: "exemption_code",
    label: "Exemption code",
    hint: "Only for a category that bears no tax: its VATEX code, e.g. VATEX-EU-132",
    value: rate?.exemption_code ?? "",
    characters_max: 40
  }
]

export const newRatePage = (organization: Organization, typed: Typed): PanelContent => ({
  title: "Add a tax rate",
  section,
  back: toRates(organization),
  body: panelForm({
    typed,
    submit: "Add the tax rate",
    cancel: pathOf(organization),
    fields: [
      ...questions(),
      {
        name: "is_default",
        label: "Use",
        value: "false",
        choices: [
          { value: "false", label: "Where a line names it" },
          { value: "true", label: "On every line that names no rate" }
        ]
      }
    ]
  })
})

/** A tax rate with its organization. */
interface UsedRate {
  readonly organization: Organization
  readonly rate: StoredTaxRate
}

export const changeRatePage = ({ organization, rate }: UsedRate, typed: Typed): PanelContent => ({
  title: `Change ${rate.name}`,
  section,
  back: toRates(organization),
  body: panelForm({
    typed,
    submit: "Save",
    cancel: pathOf(organization),
    before: html`<p class="muted">Documents that exist keep their copy of the rate.</p>`,
    fields: [
      ...questions(rate),
      {
        name: "archived",
        label: "New documents",
        value: String(rate.archived),
        choices: [
          { value: "false", label: "may use it" },
          { value: "true", label: "may not use it (archived)" }
        ]
      }
    ]
  })
})

export const defaultsPage = (
  { organization, rates }: { readonly organization: Organization; readonly rates: ReadonlyArray<StoredTaxRate> },
  typed: Typed
): PanelContent => ({
  title: "Default tax rates",
  section,
  back: toRates(organization),
  body: panelForm({
    typed,
    submit: "Save",
    cancel: pathOf(organization),
    fields: [
      {
        name: "tax_rate_ids",
        label: "Rates of every line that names none",
        several: true,
        value: rates.flatMap(({ id, is_default }) => (is_default ? [String(id)] : [])),
        choices: rates.flatMap((rate) => (rate.archived ? [] : [{ value: String(rate.id), label: rate.name }]))
      }
    ]
  })
})
