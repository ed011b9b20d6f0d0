import { Effect, Layer, Schema } from "effect"
import { tax_rates_max } from "../../../billing/lines/LineItem.ts"
import { TaxRateChanges, TaxRateDraft } from "../../../billing/taxes/TaxRate.ts"
import { TaxRates } from "../../../billing/taxes/TaxRates.ts"
import { inText, TaxRateId } from "../../../kernel/Ids.ts"
import { NotFound } from "../../../kernel/Refusal.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { at, decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { pageRowsOf } from "../PanelList.ts"
import { organizationOf } from "./OrganizationsHttp.ts"
import { changeRatePage, defaultsPage, newRatePage, taxRatesPage } from "./TaxRatesPage.ts"

const list = showPage(
  "/admin/organizations/:organization_id/tax-rates",
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return taxRatesPage(organization, pageRowsOf(yield* (yield* TaxRates).list(organization.id), request), request)
  })
)

const answers = (fields: URLSearchParams) => ({
  name: textOf(fields, "name") ?? "",
  // Half of Europe writes a decimal comma.
  rate: textOf(fields, "rate")?.replace(",", ".") ?? "",
  category: fields.get("category"),
  // An empty field clears the stored value.
  country: textOf(fields, "country")?.toUpperCase() ?? null,
  exemption_code: textOf(fields, "exemption_code")?.toUpperCase() ?? null
})

const create = formPage("/admin/organizations/:organization_id/tax-rates/new", {
  load: organizationOf,
  page: newRatePage,
  submit: Effect.fnUntraced(function* ({ id }, fields, { actor }) {
    const is_default = fields.get("is_default") === "true"
    const draft = yield* decoded(TaxRateDraft, { ...answers(fields), is_default })
    yield* (yield* TaxRates).create(id, draft, actor).pipe(Effect.catchTag("TooManyTaxRates", at("tax_rate")))
    return `/admin/organizations/${id}/tax-rates?done=rate`
  })
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

const change = formPage("/admin/organizations/:organization_id/tax-rates/:tax_rate_id", {
  load: rateOf,
  page: changeRatePage,
  submit: Effect.fnUntraced(function* ({ organization: { id }, rate }, fields, { actor }) {
    const archived = fields.get("archived") === "true"
    const changes = yield* decoded(TaxRateChanges, { ...answers(fields), archived })
    yield* (yield* TaxRates).update(id, rate.id, changes, actor)
    return `/admin/organizations/${id}/tax-rates?done=rate`
  })
})

const Defaults = Schema.Struct({
  tax_rate_ids: Schema.Array(inText(TaxRateId)).check(Schema.isMaxLength(tax_rates_max), Schema.isUnique())
})

const setDefaults = formPage("/admin/organizations/:organization_id/tax-rates/defaults", {
  load: ratesOf,
  page: defaultsPage,
  submit: Effect.fnUntraced(function* ({ organization: { id } }, fields, { actor }) {
    const { tax_rate_ids } = yield* decoded(Defaults, { tax_rate_ids: fields.getAll("tax_rate_ids") })
    yield* (yield* TaxRates)
      .setDefaults(id, tax_rate_ids, actor)
      .pipe(Effect.catchTag("NotFound", () => at("tax_rate_ids")({ message: "One of the rates is no longer in use." })))
    return `/admin/organizations/${id}/tax-rates?done=defaults`
  })
})

export const TaxRatesRoutes = Layer.mergeAll(list, create, change, setDefaults)
