import { Context, Effect, Layer, Option } from "effect"
import { now, type Timestamp } from "../kernel/Calendar.ts"
import { clientDataOf } from "../kernel/ClientData.ts"
import type { CustomerId } from "../kernel/Ids.ts"
import type { Deletion, Listing } from "../kernel/Listing.ts"
import { type NotFound, orNotFound, type PreconditionFailed, type ValidationFailed } from "../kernel/Refusal.ts"
import { changesTo, isUnchanged } from "../kernel/Changes.ts"
import { callerEntry, AuditLog } from "../platform/events/AuditLog.ts"
import { requireVersion } from "../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization } from "../platform/http/Security.ts"
import { Database } from "../platform/sql/Database.ts"
import {
  absent,
  type Customer,
  type CustomerChanges,
  type CustomerDetails,
  type CustomerDraft,
  customerEvent,
  type CustomersQuery
} from "./Customer.ts"
import { CustomerDeleted, CustomerHasDocuments } from "./CustomerErrors.ts"
import { checkRules } from "./CustomerRules.ts"
import { CustomersRepo } from "./CustomersRepo.ts"
import { contactEvent } from "./Contact.ts"
import { ContactsRepo } from "./ContactsRepo.ts"

export class Customers extends Context.Service<
  Customers,
  {
    readonly get: (id: CustomerId) => Effect.Effect<Customer, NotFound, CurrentOrganization>
    readonly list: (query: CustomersQuery) => Effect.Effect<Listing<Customer | Deletion>, never, CurrentOrganization>
    readonly create: (draft: CustomerDraft) => Effect.Effect<Customer, ValidationFailed, Caller>
    readonly update: (
      id: CustomerId,
      changes: CustomerChanges
    ) => Effect.Effect<Customer, NotFound | ValidationFailed | PreconditionFailed, Caller>
    /** Deletes the customer with its contacts. Drafts for the customer are kept, but can no longer be issued. */
    readonly remove: (
      id: CustomerId
    ) => Effect.Effect<{ readonly id: CustomerId }, NotFound | CustomerHasDocuments | PreconditionFailed, Caller>
    /** Locks customers. Must run before the transaction's first write, because the audit log must be locked last. */
    readonly hold: (ids: ReadonlyArray<CustomerId>) => Effect.Effect<void, never, CurrentOrganization>
    /**
     * Records that the e-invoicing network knows the customer's identifier, unless the identifier has changed
     * meanwhile.
     */
    readonly markVerified: (
      id: CustomerId,
      identifier: Identifier,
      at: Timestamp
    ) => Effect.Effect<void, NotFound, Caller>
    /** Returns none when the customer now has another identifier, or when the given one was never verified. */
    readonly verifiedAt: (
      id: CustomerId,
      identifier: Identifier
    ) => Effect.Effect<Option.Option<Timestamp>, never, CurrentOrganization>
    /**
     * Refuses a deleted customer, and prevents its deletion until the commit. Called in the transaction that issues a
     * document to the customer; the document then prevents the deletion.
     */
    readonly keep: (id: CustomerId) => Effect.Effect<void, CustomerDeleted, CurrentOrganization>
  }
>()("invoicing/customers/Customers") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CustomersRepo
      const contacts = yield* ContactsRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const get = Effect.fn("Customers.get")(function* (id: CustomerId) {
        yield* Effect.annotateCurrentSpan({ "customer.id": id })
        const organization = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id: organization.id, id }))
      })

      const list = Effect.fn("Customers.list")(function* (query: CustomersQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.list(organization_id, query)
      })

      const create = Effect.fn("Customers.create")(function* (draft: CustomerDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const details = { ...absent, ...draft, ...clientDataOf(draft) }
        yield* checkRules(details, draft)
        const created_at = yield* now
        const customer: Customer = {
          ...details,
          id: yield* repo.nextId,
          einvoicing_identifier_verified: false,
          contacts: [],
          created_at,
          updated_at: created_at,
          version: 1
        }
        yield* repo.insert(organization_id, customer, yield* entryOf("customer.created", customer))
        return customer
      })

      const lock = Effect.fnUntraced(function* (id: CustomerId) {
        yield* Effect.annotateCurrentSpan({ "customer.id": id })
        const organization = yield* CurrentOrganization
        const customer = yield* orNotFound(repo.lock({ organization_id: organization.id, id }))
        yield* requireVersion(customer.version)
        return customer
      })

      const update = Effect.fn("Customers.update")(function* (id: CustomerId, sent: CustomerChanges) {
        const { id: organization_id } = yield* CurrentOrganization
        const stored = yield* lock(id)
        const details = { ...stored, ...sent, ...clientDataOf(sent, stored) }
        yield* checkRules(details, sent)
        if (isUnchanged(yield* changesTo(stored, sent))) return stored
        const customer: Customer = {
          ...details,
          einvoicing_identifier_verified: stored.einvoicing_identifier_verified && sameIdentifier(stored, details),
          updated_at: yield* now,
          version: stored.version + 1
        }
        yield* repo.save(organization_id, customer, yield* entryOf("customer.updated", customer))
        return customer
      }, transaction)

      const remove = Effect.fn("Customers.remove")(function* (id: CustomerId) {
        const { id: organization_id } = yield* CurrentOrganization
        const customer = yield* lock(id)
        if (yield* repo.hasDocuments({ organization_id, id })) return yield* CustomerHasDocuments.of()
        const going = yield* contacts.ofCustomer({ organization_id, customer_id: id })
        yield* repo.remove({ organization_id, id })
        yield* auditLog.append(
          yield* callerEntry("customer.deleted", { customer_id: id }, [
            ...(yield* Effect.forEach(going, (contact) => contactEvent("contact.deleted", contact))),
            customerEvent("customer.deleted", customer)
          ])
        )
        return { id }
      }, transaction)

      const hold = Effect.fn("Customers.hold")(function* (ids: ReadonlyArray<CustomerId>) {
        const organization = yield* CurrentOrganization
        if (ids.length > 0) yield* repo.lockAll({ organization_id: organization.id, ids })
      })

      const keep = Effect.fn("Customers.keep")(function* (id: CustomerId) {
        yield* Effect.annotateCurrentSpan({ "customer.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        if (Option.isNone(yield* repo.keep({ organization_id, id }))) return yield* CustomerDeleted.of()
      })

      const markVerified = Effect.fn("Customers.markVerified")(function* (
        id: CustomerId,
        identifier: Identifier,
        at: Timestamp
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const marked = yield* repo.markVerified({ organization_id, id, ...identifier, at })
        if (Option.isNone(marked)) return
        const customer = yield* get(id)
        yield* auditLog.append(
          yield* callerEntry("customer.identifier_verified", { customer_id: id, ...identifier }, [
            customerEvent("customer.updated", customer)
          ])
        )
      }, transaction)

      const verifiedAt = Effect.fn("Customers.verifiedAt")(function* (id: CustomerId, identifier: Identifier) {
        const { id: organization_id } = yield* CurrentOrganization
        return Option.map(yield* repo.findVerified({ organization_id, id, ...identifier }), ({ at }) => at)
      })

      return Customers.of({
        get,
        list,
        create,
        update,
        remove,
        hold,
        markVerified,
        verifiedAt,
        keep
      })
    })
  ).pipe(Layer.provide([CustomersRepo.layer, ContactsRepo.layer]))
}

interface Identifier {
  readonly scheme: string
  readonly value: string
}

const entryOf = (type: "customer.created" | "customer.updated", customer: Customer) =>
  callerEntry(type, { customer_id: customer.id }, [customerEvent(type, customer)])

const sameIdentifier = (before: CustomerDetails, after: CustomerDetails): boolean =>
  before.einvoicing_identifier_scheme === after.einvoicing_identifier_scheme &&
  before.einvoicing_identifier_value === after.einvoicing_identifier_value
