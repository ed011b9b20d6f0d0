import { BigDecimal, Context, Effect, Layer } from "effect"
import type { CountryCode } from "../../kernel/Country.ts"
import type { OrganizationId, TaxRateId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StoredTaxRate, TaxRateChanges, TaxRateDraft } from "./TaxRate.ts"
import { TooManyTaxRates } from "./TaxRateErrors.ts"
import { TaxRatesRepo } from "./TaxRatesRepo.ts"
import { usualTaxRates } from "./UsualTaxRates.ts"

/** Rates are changed rarely and archived, never removed, because documents name them. */
export const tax_rates_kept_max = 200

/** The spec has no endpoint for tax rates: the administration keeps them. Documents copy what they use. */
export class TaxRates extends Context.Service<
  TaxRates,
  {
    /** All of them, archived ones last: `tax_rates_kept_max` at most. */
    readonly list: (organization_id: OrganizationId) => Effect.Effect<ReadonlyArray<StoredTaxRate>>
    /** The rates of these ids, which a new document may use; refused under the name of the field that holds them. */
    readonly named: (
      organization_id: OrganizationId,
      ids: ReadonlyArray<TaxRateId>,
      field: string
    ) => Effect.Effect<ReadonlyArray<StoredTaxRate>, ValidationFailed>
    /** Gives a new organization the usual rates of its country, the standard rate as default. */
    readonly openUsual: (
      organization_id: OrganizationId,
      country: CountryCode,
      actor: string
    ) => Effect.Effect<ReadonlyArray<StoredTaxRate>>
    readonly create: (
      organization_id: OrganizationId,
      draft: TaxRateDraft,
      actor: string
    ) => Effect.Effect<StoredTaxRate, TooManyTaxRates>
    readonly update: (
      organization_id: OrganizationId,
      id: TaxRateId,
      changes: TaxRateChanges,
      actor: string
    ) => Effect.Effect<StoredTaxRate, NotFound>
    /** The rates of every line that names none; NotFound when one is not the organization's. */
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
      const journal = yield* Journal
      const { transaction } = yield* Database

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
        const rate = yield* repo.insert({ organization_id, ...draft })
        const data = { tax_rate_id: rate.id, name: rate.name, rate: BigDecimal.format(rate.rate) }
        yield* journal.append({ organization_id, actor, action: "tax_rate.created", data })
        return rate
      })

      const create = Effect.fn("TaxRates.create")(function* (
        organization_id: OrganizationId,
        draft: TaxRateDraft,
        actor: string
      ) {
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
        const saved = yield* orNotFound(repo.update(changed))
        const { name, rate } = saved
        const data = { tax_rate_id: id, name, rate: BigDecimal.format(rate), archived }
        yield* journal.append({ organization_id, actor, action: "tax_rate.updated", data })
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
        yield* journal.append({ organization_id, actor, action: "tax_rate.defaults_set", data })
        return yield* repo.list(organization_id)
      }, transaction)

      return TaxRates.of({ list: repo.list, named, openUsual, create, update, setDefaults })
    })
  ).pipe(Layer.provide(TaxRatesRepo.layer))
}
