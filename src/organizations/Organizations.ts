import { Context, Effect, Layer, Option, Struct } from "effect"
import { subdivisionBelongsTo } from "../kernel/Country.ts"
import { type TimeZone, today, yearOf } from "../kernel/Calendar.ts"
import { changesTo, isUnchanged } from "../kernel/Changes.ts"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../kernel/Envelope.ts"
import type { OrganizationId } from "../kernel/Ids.ts"
import { type NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { stored_bytes_quota_default } from "../kernel/OrganizationSettings.ts"
import { searchPattern, searchText } from "../kernel/SearchText.ts"
import { AuditLog } from "../platform/events/AuditLog.ts"
import { requireVersion } from "../platform/http/Precondition.ts"
import { Forbidden, type OrganizationArchived } from "../platform/http/Refusals.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../platform/http/Security.ts"
import { Database } from "../platform/sql/Database.ts"
import { requirePermissions } from "./access/Rights.ts"
import { type Drawn, Logos } from "./logo/Logos.ts"
import { holdRole } from "./members/CallerRules.ts"
import { MembersRepo } from "./members/MembersRepo.ts"
import {
  type Organization,
  type OrganizationChanges,
  type OrganizationDraft,
  organizationEvent
} from "./profile/Organization.ts"
import { CurrencyLocked, type LogoUnavailable } from "./profile/OrganizationErrors.ts"
import { requireDistinctNumbers } from "./profile/NumberFormats.ts"
import { OrganizationsRepo } from "./profile/OrganizationsRepo.ts"
import { changedSettings, storedChanges } from "./profile/Settings.ts"

interface OrganizationsRequest extends PageRequest {
  readonly search?: string
}

export class Organizations extends Context.Service<
  Organizations,
  {
    /** Creates an organization with its owner and audit chain. `actor` names who does it, e.g. `admin`. */
    readonly create: (draft: OrganizationDraft, actor: string) => Effect.Effect<Organization, ValidationFailed>
    /** Lists the organizations that the caller may access. */
    readonly list: (request: OrganizationsRequest) => Effect.Effect<PageRows<Organization>, never, CurrentPrincipal>
    readonly listAll: (request: OrganizationsRequest) => Effect.Effect<PageRows<Organization>>
    readonly get: (id: OrganizationId) => Effect.Effect<Organization, NotFound>
    /** Only the operator may raise the storage quota above the default. */
    readonly update: (
      id: OrganizationId,
      changes: OrganizationChanges,
      by?: "operator"
    ) => Effect.Effect<
      Organization,
      | NotFound
      | CurrencyLocked
      | LogoUnavailable
      | ValidationFailed
      | PreconditionFailed
      | Forbidden
      | OrganizationArchived,
      Caller
    >
    readonly setPlan: (id: OrganizationId, plan: string, actor: string) => Effect.Effect<Organization, NotFound>
    /** Makes the organization read-only; archiving it again changes nothing. */
    readonly archive: (id: OrganizationId, actor: string) => Effect.Effect<Organization, NotFound>
    /** Undoes `archive`; reopening an organization that is not archived changes nothing. */
    readonly reopen: (id: OrganizationId, actor: string) => Effect.Effect<Organization, NotFound>
    /** Locks the currency permanently; called in the transaction that creates a financial document. */
    readonly markCurrencyInUse: (id: OrganizationId) => Effect.Effect<void>
  }
>()("invoicing/organizations/Organizations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* OrganizationsRepo
      const logos = yield* Logos
      const members = yield* MembersRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const requireTimeZone = Effect.fnUntraced(function* (timezone: TimeZone | undefined) {
        if (timezone === undefined || (yield* repo.knowsTimeZone(timezone))) return
        return yield* ValidationFailed.field("timezone", "must be a time zone that PostgreSQL knows.")
      })

      const create = Effect.fn("Organizations.create")(function* (draft: OrganizationDraft, actor: string) {
        const { owner_id, ...row } = draft
        yield* requireTimeZone(row.timezone)
        const { currency_in_use: _, ...organization } = yield* repo.insert({ ...row, search: searchText([row.name]) })
        const { id: organization_id } = organization
        yield* auditLog.open(organization_id)
        yield* members.join({ organization_id, user_id: owner_id, role: "owner" })
        const data = { organization_id, owner_id }
        yield* auditLog.append({ organization_id, actor, action: "organization.created", data })
        return organization
      }, transaction)

      const list = Effect.fn("Organizations.list")(function* (request: OrganizationsRequest) {
        const { bound_organization_id, user_id } = yield* CurrentPrincipal
        const filter = { bound_organization_id, user_id, pattern: searchPattern(request.search) }
        const rows = yield* repo.list({ ...filter, limit: limitOf(request), offset: offsetOf(request) })
        const { total } = yield* repo.count(filter)
        return { rows, total }
      })

      const listAll = Effect.fn("Organizations.listAll")(function* (request: OrganizationsRequest) {
        const pattern = searchPattern(request.search)
        const rows = yield* repo.listAll({ pattern, limit: limitOf(request), offset: offsetOf(request) })
        const { total } = yield* repo.countAll(pattern)
        return { rows, total }
      })

      const get = Effect.fn("Organizations.get")(function* (id: OrganizationId) {
        yield* Effect.annotateCurrentSpan({ "organization.id": id })
        return yield* orNotFound(repo.find(id))
      })

      /** Refuses a next number of invoices that would have no effect, because the numbers of its year have passed it. */
      const requireNumberAhead = Effect.fnUntraced(function* (
        { id, settings }: Organization,
        sent: Settings,
        changed: Settings,
        year: number
      ) {
        const moved = changed.find(({ key }) => key === "invoice_next_number" || key === "invoice_next_number_year")
        const next = { ...settings, ...storedChanges(changed) }
        if (moved === undefined || typeof next.invoice_next_number !== "number") return
        const series = String(next.invoice_next_number_year ?? year)
        const counter = Option.getOrUndefined(yield* repo.nextInvoice({ id, series }))
        if (counter === undefined || next.invoice_next_number >= counter.next) return
        // The year is not sent if it changes because the number is sent again in another year.
        const place = sent.findIndex(({ key }) => key === moved.key)
        const field = `settings.${place >= 0 ? place : sent.findIndex(({ key }) => key === "invoice_next_number")}.value`
        return yield* ValidationFailed.of({
          [field]: [`The ${field} field must be at least ${counter.next}, the next number of ${series}.`]
        })
      })

      const save = Effect.fnUntraced(function* (
        id: OrganizationId,
        sent: OrganizationChanges,
        logo: Drawn,
        by: "operator" | undefined
      ) {
        const { actor } = yield* CurrentPrincipal
        // Until the commit, this lock keeps another transaction from marking the currency as used.
        const { currency_in_use, ...organization } = yield* orNotFound(repo.lock(id))
        const role = yield* holdRole(members, "organizations.change")
        yield* requireVersion(organization.version)
        const changes = yield* changesTo(organization, sent, ["country"])
        yield* requireFitting(organization, changes)
        yield* requireTimeZone(changes.timezone)
        if (currency_in_use && (changes.currency ?? organization.currency) !== organization.currency) {
          return yield* CurrencyLocked.of(organization.currency)
        }
        const { logo: _, settings: sentSettings = [], ...profile } = changes
        const year = yearOf(yield* today(organization.timezone))
        const settings = changedSettings(organization.settings, sentSettings, year)
        yield* requireNumberAhead(organization, sent.settings ?? [], settings, year)
        if (by === undefined) yield* requireQuota(organization, sent.settings ?? [], settings)
        if (settings.some(({ key }) => key.endsWith("_number_format"))) {
          yield* requireDistinctNumbers(organization.settings, sentSettings)
        }
        const lock = settings.find(({ key }) => key === "books_locked_until")
        const isMore =
          Object.keys(changes).some((name) => name !== "settings") || settings.some((setting) => setting !== lock)
        const { archived } = yield* CurrentOrganization
        // An API token has no role, and the lock date is reserved for people with one of two roles.
        if (lock !== undefined && role === null) return yield* Forbidden.of("organizations.lock")
        yield* requirePermissions({ archived, role }, [
          ...(lock === undefined ? [] : (["organizations.lock"] as const)),
          ...(isMore ? (["organizations.update"] as const) : [])
        ])
        if (isUnchanged(profile) && !("logo" in changes) && settings.length === 0) return organization
        const changed = { ...organization, ...profile }
        const saved = yield* repo.save({
          ...changed,
          ...("logo" in changes ? yield* logos.store(id, logo) : {}),
          setting_changes: storedChanges(settings),
          search: searchText([changed.name, changed.tax_number, changed.registration_number])
        })
        const moved = lock === undefined ? {} : { books_locked_until: lock.value }
        const data = { organization_id: id, changed: Struct.keys(changes), ...moved }
        const events = [yield* organizationEvent("organization.updated", saved)]
        yield* auditLog.append({ organization_id: id, actor, action: "organization.updated", data, events })
        return saved
      }, transaction)

      const update = Effect.fn("Organizations.update")(function* (
        id: OrganizationId,
        sent: OrganizationChanges,
        by?: "operator"
      ) {
        yield* Effect.annotateCurrentSpan({ "organization.id": id })
        // The logo is drawn before the transaction, so that drawing does not prolong its locks.
        return yield* save(id, sent, yield* logos.draw(id, sent.logo), by)
      })

      const setPlan = Effect.fn("Organizations.setPlan")(function* (id: OrganizationId, plan: string, actor: string) {
        const changed = yield* orNotFound(repo.setPlan({ id, plan }))
        const events = [yield* organizationEvent("organization.updated", changed)]
        yield* auditLog.append({ organization_id: id, actor, action: "organization.plan_set", data: { plan }, events })
        return changed
      }, transaction)

      const archive = Effect.fn("Organizations.archive")(function* (id: OrganizationId, actor: string) {
        const archived = yield* repo.archive(id)
        if (Option.isNone(archived)) return yield* get(id)
        const events = [yield* organizationEvent("organization.updated", archived.value)]
        yield* auditLog.append({ organization_id: id, actor, action: "organization.archived", data: {}, events })
        return archived.value
      }, transaction)

      const reopen = Effect.fn("Organizations.reopen")(function* (id: OrganizationId, actor: string) {
        const reopened = yield* repo.reopen(id)
        if (Option.isNone(reopened)) return yield* get(id)
        const events = [yield* organizationEvent("organization.updated", reopened.value)]
        yield* auditLog.append({ organization_id: id, actor, action: "organization.reopened", data: {}, events })
        return reopened.value
      }, transaction)

      const { markCurrencyInUse } = repo
      return Organizations.of({ create, list, listAll, get, update, setPlan, archive, reopen, markCurrencyInUse })
    })
  ).pipe(Layer.provide([OrganizationsRepo.layer, MembersRepo.layer, Logos.layer]))
}

type Settings = NonNullable<OrganizationChanges["settings"]>

/** Refuses a quota above both the default and the present one. */
const requireQuota = (
  { settings }: Organization,
  sent: Settings,
  changed: Settings
): Effect.Effect<void, ValidationFailed> => {
  const bytes_max = Math.max(stored_bytes_quota_default, settings.stored_bytes_quota)
  const raised = changed.find(({ key, value }) => key === "stored_bytes_quota" && Number(value) > bytes_max)
  return raised === undefined
    ? Effect.void
    : ValidationFailed.field(`settings.${sent.indexOf(raised)}.value`, `must be at most ${bytes_max}.`)
}

const requireFitting = (
  { country }: Organization,
  { subdivision_code }: OrganizationChanges
): Effect.Effect<void, ValidationFailed> =>
  subdivision_code === undefined || subdivision_code === null || subdivisionBelongsTo(subdivision_code, country)
    ? Effect.void
    : Effect.fail(
        ValidationFailed.of({ subdivision_code: [`The subdivision_code field must be a subdivision of ${country}.`] })
      )
