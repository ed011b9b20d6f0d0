import { BigDecimal, Context, Effect, Layer, Schema } from "effect"
import type { CountryCode } from "../../kernel/Country.ts"
import { limitOf, offsetOf, type PageRows } from "../../kernel/Envelope.ts"
import type { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { ExemptionCategory } from "../lines/LineItem.ts"
import type { StoredTaxRate, TaxRateChanges, TaxRateDraft, TaxRatesQuery } from "./TaxRate.ts"
import { TooManyTaxRates } from "./TaxRateErrors.ts"
import { TaxRatesRepo } from "./TaxRatesRepo.ts"
import { usualTaxRates } from "./UsualTaxRates.ts"

/**
 * Maximum number of rates of an organization, with archived ones: rates are never removed, because documents refer to
 * them.
 */
export const tax_rates_kept_max = 200

/** Members read tax rates; only the administration changes them. Documents hold copies of their rates. */
export class TaxRates extends Context.Service<
  TaxRates,
  {
    /** Returns a page of the current organization's rates, archived ones last. */
    readonly page: (query: TaxRatesQuery) => Effect.Effect<PageRows<StoredTaxRate>, never, CurrentOrganization>
    readonly get: (id: TaxRateId) => Effect.Effect<StoredTaxRate, NotFound, CurrentOrganization>
    /** Returns all rates of an organization, archived ones last: at most `tax_rates_kept_max`. */
    readonly list: (organization_id: OrganizationId) => Effect.Effect<ReadonlyArray<StoredTaxRate>>
    /** Returns the rates with these ids. An unknown or archived rate is a validation error of the given field. */
    readonly named: (
      organization_id: OrganizationId,
      ids: ReadonlyArray<TaxRateId>,
      field: string
    ) => Effect.Effect<ReadonlyArray<StoredTaxRate>, ValidationFailed>
    /** Creates the usual rates of the country for a new organization, with the standard rate as default. */
    readonly openUsual: (
      organization_id: OrganizationId,
      country: CountryCode,
      actor: string
    ) => Effect.Effect<ReadonlyArray<StoredTaxRate>>
    readonly create: (
      organization_id: OrganizationId,
      draft: TaxRateDraft,
      actor: string
    ) => Effect.Effect<StoredTaxRate, TooManyTaxRates | ValidationFailed>
    readonly update: (
      organization_id: OrganizationId,
      id: TaxRateId,
      changes: TaxRateChanges,
      actor: string
    ) => Effect.Effect<StoredTaxRate, NotFound | ValidationFailed>
    /** Sets the rates of lines that state no rates. Fails with NotFound if a rate is unknown or archived. */
    readonly setDefaults: (
      organization_id: OrganizationId,
      ids: ReadonlyArray<TaxRateId>,
      actor: string
    ) => Effect.Effect<ReadonlyArray<StoredTaxRate>, NotFound>
  }
>()("invoicing/billing/taxes/TaxRates") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* TaxRatesRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const page = Effect.fn("TaxRates.page")(function* (query: TaxRatesQuery) {
        const { id } = yield* CurrentOrganization
        const found = (yield* repo.list(id)).filter((rate) => fits(rate, query))
        const start = offsetOf(query)
        return { rows: found.slice(start, start + limitOf(query)), total: found.length }
      })

      const get = Effect.fn("TaxRates.get")(function* (id: TaxRateId) {
        yield* Effect.annotateCurrentSpan({ "tax_rate.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      const named = Effect.fn("TaxRates.named")(function* (
        organization_id: OrganizationId,
        ids: ReadonlyArray<TaxRateId>,
        field: string
      ) {
        if (ids.length === 0) return []
        const usable = (yield* repo.list(organization_id)).filter(({ archived }) => !archived)
        const unknown = ids.flatMap((id, index) => (usable.some((rate) => rate.id === id) ? [] : [`${field}.${index}`]))
        if (unknown.length === 0) return usable.filter(({ id }) => ids.includes(id))
        const errors = unknown.map((name) => [name, [`The ${name} field must name a tax rate of the organization.`]])
        return yield* ValidationFailed.of(Object.fromEntries(errors))
      })

      const add = Effect.fnUntraced(function* (organization_id: OrganizationId, draft: TaxRateDraft, actor: string) {
        const rate = yield* repo.insert({ country: null, exemption_code: null, ...draft, organization_id })
        const data = { tax_rate_id: rate.id, name: rate.name, rate: BigDecimal.format(rate.rate) }
        yield* auditLog.append({ organization_id, actor, action: "tax_rate.created", data })
        return rate
      })

      const create = Effect.fn("TaxRates.create")(function* (
        organization_id: OrganizationId,
        draft: TaxRateDraft,
        actor: string
      ) {
        yield* requireExemption(draft)
        yield* requireTaxable(draft)
        const count = yield* repo.countBeforeInsert(organization_id)
        if (count >= tax_rates_kept_max) return yield* TooManyTaxRates.of(tax_rates_kept_max)
        return yield* add(organization_id, draft, actor)
      }, transaction)

      const openUsual = Effect.fn("TaxRates.openUsual")(function* (
        organization_id: OrganizationId,
        country: CountryCode,
        actor: string
      ) {
        return yield* Effect.forEach(usualTaxRates(country), ({ rate, ...usual }, index) =>
          add(organization_id, { ...usual, rate: BigDecimal.fromStringUnsafe(rate), is_default: index === 0 }, actor)
        )
      }, transaction)

      const update = Effect.fn("TaxRates.update")(function* (
        organization_id: OrganizationId,
        id: TaxRateId,
        changes: TaxRateChanges,
        actor: string
      ) {
        const stored = yield* orNotFound(repo.lock({ organization_id, id }))
        const archived = changes.archived ?? stored.archived
        const changed = { ...stored, ...changes, archived, is_default: stored.is_default && !archived }
        yield* requireExemption(changed)
        // A rate of an earlier version with a percentage that is refused today may still be renamed and archived.
        const isOther = changed.category !== stored.category || !BigDecimal.equals(changed.rate, stored.rate)
        if (isOther) yield* requireTaxable(changed)
        const saved = yield* orNotFound(repo.update(changed))
        const { name, rate } = saved
        const data = { tax_rate_id: id, name, rate: BigDecimal.format(rate), archived }
        yield* auditLog.append({ organization_id, actor, action: "tax_rate.updated", data })
        return saved
      }, transaction)

      const setDefaults = Effect.fn("TaxRates.setDefaults")(function* (
        organization_id: OrganizationId,
        ids: ReadonlyArray<TaxRateId>,
        actor: string
      ) {
        const known = yield* repo.list(organization_id)
        if (!ids.every((id) => known.some((rate) => rate.id === id && !rate.archived))) return yield* NotFound.of()
        yield* repo.setDefaults(organization_id, ids)
        const data = { tax_rate_ids: ids }
        yield* auditLog.append({ organization_id, actor, action: "tax_rate.defaults_set", data })
        return yield* repo.list(organization_id)
      }, transaction)

      return TaxRates.of({ page, get, list: repo.list, named, openUsual, create, update, setDefaults })
    })
  ).pipe(Layer.provide(TaxRatesRepo.layer))
}

const fits = (rate: StoredTaxRate, { archived, category, country, is_default }: TaxRatesQuery): boolean =>
  (archived ?? rate.archived) === rate.archived &&
  (category ?? rate.category) === rate.category &&
  (country ?? rate.country) === rate.country &&
  (is_default ?? rate.is_default) === rate.is_default

const isExemption = Schema.is(ExemptionCategory)

/** EN 16931 allows an exemption reason only in categories without tax (BR-S-10 and similar rules). */
const requireExemption = ({ category, exemption_code }: Pick<TaxRateDraft, "category" | "exemption_code">) =>
  typeof exemption_code === "string" && !isExemption(category)
    ? Effect.fail(
        ValidationFailed.field(
          "exemption_code",
          `may only be given with one of the categories ${ExemptionCategory.literals.join(", ")}.`
        )
      )
    : Effect.void

const taxed_categories: ReadonlyArray<string> = ["S", "L", "M"]

/** Lines of the other categories have no tax, which e-invoices require (BR-E-05 and similar rules). */
const requireTaxable = ({ category, rate }: Pick<TaxRateDraft, "category" | "rate">) =>
  BigDecimal.isZero(rate) || taxed_categories.includes(category)
    ? Effect.void
    : Effect.fail(ValidationFailed.field("rate", `must be 0 in category ${category}, which has no tax.`))
