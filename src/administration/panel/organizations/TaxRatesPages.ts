import { BigDecimal, Effect, Layer } from "effect"
import { TaxCategory } from "../../../billing/lines/Tax.ts"
import type { StoredTaxRate } from "../../../billing/taxes/TaxRate.ts"
import { TaxRates } from "../../../billing/taxes/TaxRates.ts"
import { TaxRateId } from "../../../kernel/Ids.ts"
import { NotFound } from "../../../kernel/Refusal.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage, pageRowsOf } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const place = partOf("tax-rates", "tax rates")

/** Meanings of the codes of tax categories (UNCL 5305). */
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

const ratesOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id, name } = yield* organizationOf(asked)
  return { name, rates: yield* (yield* TaxRates).list(id) }
})

const rateOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { rates } = yield* ratesOf(asked)
  const id = yield* idOf(TaxRateId, asked.params["tax_rate_id"])
  return rates.find((rate) => rate.id === id) ?? (yield* NotFound.of())
})

const list = listPage(place, {
  load: ratesOf,
  title: ({ name }) => `Tax rates of ${name}`,
  buttons: { new: "Add a tax rate", defaults: "Choose the default rates" },
  rows: (request, { rates }) => Effect.succeed(pageRowsOf(rates, request)),
  row: ({ archived, category, country, exemption_code, id, is_default, name, rate }) => ({
    name,
    tags: [...(is_default ? ["default"] : []), ...(archived ? ["archived"] : [])],
    small: [`${BigDecimal.format(rate)} %`, country, `${category}: ${meanings[category]}`, exemption_code]
      .filter((part) => part !== null)
      .join(", "),
    actions: { [String(id)]: "Change" }
  }),
  none: "There is no tax rate."
})

type Rate = StoredTaxRate | undefined
const upperCase = (text: string) => text.toUpperCase()

const questions = {
  name: { value: (rate: Rate) => rate?.name ?? "", required: true },
  rate: {
    label: "Percent",
    hint: "E.g. 21 or 5.5",
    value: (rate: Rate) => (rate === undefined ? "" : BigDecimal.format(rate.rate)),
    required: true,
    characters_max: 20,
    // In half of Europe, users type a decimal comma.
    spelled: (text: string) => text.replace(",", ".")
  },
  category: {
    value: (rate: Rate) => rate?.category ?? "S",
    choices: TaxCategory.literals.map((category) => ({ value: category, label: `${category}: ${meanings[category]}` }))
  },
  country: {
    label: "Country (One Stop Shop)",
    hint: "Only for sales that are taxed in another country of the EU, e.g. DE",
    value: (rate: Rate) => rate?.country ?? "",
    characters_max: 2,
    spelled: upperCase
  },
  exemption_code: {
    hint: "Only for a category without tax: its VATEX code, e.g. VATEX-EU-132",
    value: (rate: Rate) => rate?.exemption_code ?? "",
    characters_max: 40,
    spelled: upperCase
  }
}

const create = procedureForm("CreateTaxRate", place, {
  path: "new",
  load: (asked) => Effect.as(organizationOf(asked), undefined),
  title: "Add a tax rate",
  submit: "Add the tax rate",
  questions: {
    ...questions,
    is_default: {
      label: "Use",
      choices: [
        { value: "false", label: "Where a line names it" },
        { value: "true", label: "On every line that names no rate" }
      ]
    }
  }
})

const change = procedureForm("UpdateTaxRate", place, {
  path: ":tax_rate_id",
  load: rateOf,
  title: ({ name }) => `Change ${name}`,
  submit: "Save",
  changesOnly: true,
  before: () => html`<p class="muted">Existing documents keep their copy of the rate.</p>`,
  questions: {
    ...questions,
    archived: {
      label: "New documents",
      value: ({ archived }) => String(archived),
      choices: [
        { value: "false", label: "may use it" },
        { value: "true", label: "may not use it (archived)" }
      ]
    }
  }
})

const setDefaults = procedureForm("SetDefaultTaxRates", place, {
  path: "defaults",
  load: ratesOf,
  title: "Default tax rates",
  submit: "Save",
  questions: {
    tax_rate_ids: {
      label: "Rates of every line without a rate",
      several: true,
      value: ({ rates }) => rates.flatMap(({ id, is_default }) => (is_default ? [String(id)] : [])),
      choices: ({ rates }) =>
        rates.flatMap(({ archived, id, name }) => (archived ? [] : [{ value: String(id), label: name }]))
    }
  },
  given: (_, fields) => ({ tax_rate_ids: fields.getAll("tax_rate_ids").map(Number) }),
  at: { NotFound: ["tax_rate_ids", "One of the rates is no longer in use."] }
})

export const TaxRatesRoutes = Layer.mergeAll(list, create, change, setDefaults)
