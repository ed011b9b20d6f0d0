import { BigDecimal, Effect, Layer } from "effect"
import { TaxCategory } from "../../../billing/lines/Tax.ts"
import type { StoredTaxRate } from "../../../billing/taxes/TaxRate.ts"
import { TaxRates } from "../../../billing/taxes/TaxRates.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { TaxRateId } from "../../../kernel/Ids.ts"
import { NotFound } from "../../../kernel/Refusal.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { html } from "../../../platform/pages/Html.ts"
import { CreateTaxRate, SetDefaultTaxRates, UpdateTaxRate } from "../../AdministrationRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { at, idOf, pageOf } from "../PanelInput.ts"
import { pageRowsOf, panelList } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, toOrganization } from "./Organizations.ts"

const section = "/admin/organizations"
const path = "/admin/organizations/:organization_id/tax-rates"

const pathOf = ({ id }: Organization) => `${section}/${id}/tax-rates` as const

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

const taxRatesPage = (
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

const list = showPage(
  path,
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return taxRatesPage(organization, pageRowsOf(yield* (yield* TaxRates).list(organization.id), request), request)
  })
)

interface UsedRate {
  readonly organization: Organization
  readonly rate?: StoredTaxRate
}

const upperCase = (text: string) => text.toUpperCase()

const questions = {
  name: { label: "Name", value: ({ rate }: UsedRate) => rate?.name ?? "", required: true },
  rate: {
    label: "Percent",
    hint: "E.g. 21 or 5.5",
    value: ({ rate }: UsedRate) => (rate === undefined ? "" : percent(rate)),
    required: true,
    characters_max: 20,
    // Half of Europe writes a decimal comma.
    spelled: (text: string) => text.replace(",", ".")
  },
  category: {
    label: "Category",
    value: ({ rate }: UsedRate) => rate?.category ?? "S",
    choices: TaxCategory.literals.map((category) => ({ value: category, label: `${category}: ${meanings[category]}` }))
  },
  country: {
    label: "Country (One Stop Shop)",
    hint: "Only for sales that are taxed in another country of the EU, e.g. DE",
    value: ({ rate }: UsedRate) => rate?.country ?? "",
    characters_max: 2,
    spelled: upperCase
  },
  exemption_code: {
    label: "Exemption code",
    hint: "Only for a category that bears no tax: its VATEX code, e.g. VATEX-EU-132",
    value: ({ rate }: UsedRate) => rate?.exemption_code ?? "",
    characters_max: 40,
    spelled: upperCase
  }
}

const create = procedureForm(CreateTaxRate, {
  path: `${path}/new`,
  load: (asked) => Effect.map(organizationOf(asked), (organization): UsedRate => ({ organization })),
  title: "Add a tax rate",
  section,
  back: ({ organization }) => toRates(organization),
  submit: "Add the tax rate",
  questions: {
    ...questions,
    is_default: {
      label: "Use",
      value: () => "false",
      choices: [
        { value: "false", label: "Where a line names it" },
        { value: "true", label: "On every line that names no rate" }
      ]
    }
  },
  given: ({ organization }) => Effect.succeed({ organization_id: organization.id }),
  call: (procedures, payload) => procedures.CreateTaxRate(payload),
  done: ({ organization }) => `${pathOf(organization)}?done=rate`
})

const ratesOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const organization = yield* organizationOf(asked)
  return { organization, rates: yield* (yield* TaxRates).list(organization.id) }
})

const rateOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { organization, rates } = yield* ratesOf(asked)
  const id = yield* idOf(TaxRateId, asked.params["tax_rate_id"])
  const rate = rates.find((rate) => rate.id === id)
  if (rate === undefined) return yield* NotFound.of()
  return { organization, rate }
})

const change = procedureForm(UpdateTaxRate, {
  path: `${path}/:tax_rate_id`,
  load: rateOf,
  title: ({ rate }) => `Change ${rate.name}`,
  section,
  back: ({ organization }) => toRates(organization),
  submit: "Save",
  before: () => html`<p class="muted">Documents that exist keep their copy of the rate.</p>`,
  questions: {
    ...questions,
    archived: {
      label: "New documents",
      value: ({ rate }) => String(rate.archived),
      choices: [
        { value: "false", label: "may use it" },
        { value: "true", label: "may not use it (archived)" }
      ]
    }
  },
  given: ({ organization, rate }) => Effect.succeed({ organization_id: organization.id, tax_rate_id: rate.id }),
  call: (procedures, payload) => procedures.UpdateTaxRate(payload),
  done: ({ organization }) => `${pathOf(organization)}?done=rate`
})

const setDefaults = procedureForm(SetDefaultTaxRates, {
  path: `${path}/defaults`,
  load: ratesOf,
  title: "Default tax rates",
  section,
  back: ({ organization }) => toRates(organization),
  submit: "Save",
  questions: {
    tax_rate_ids: {
      label: "Rates of every line that names none",
      several: true,
      value: ({ rates }) => rates.flatMap(({ id, is_default }) => (is_default ? [String(id)] : [])),
      choices: ({ rates }) =>
        rates.flatMap((rate) => (rate.archived ? [] : [{ value: String(rate.id), label: rate.name }]))
    }
  },
  given: ({ organization }, fields) =>
    Effect.succeed({ organization_id: organization.id, tax_rate_ids: fields.getAll("tax_rate_ids").map(Number) }),
  call: (procedures, payload) =>
    procedures
      .SetDefaultTaxRates(payload)
      .pipe(
        Effect.catchTag("NotFound", () => at("tax_rate_ids")({ message: "One of the rates is no longer in use." }))
      ),
  done: ({ organization }) => `${pathOf(organization)}?done=defaults`
})

export const TaxRatesRoutes = Layer.mergeAll(list, create, change, setDefaults)
