import { Context, Effect, Layer } from "effect"
import { clientDataOf } from "../../kernel/ClientData.ts"
import type { ContactId, CustomerId } from "../../kernel/Ids.ts"
import type { Deletion, Listing } from "../../kernel/Listing.ts"
import { type NotFound, orNotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { searchText } from "../../kernel/SearchText.ts"
import { changesTo, isUnchanged } from "../../kernel/Changes.ts"
import { callerEntry, type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { requireVersion } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { customerEvent } from "../Customer.ts"
import { contacts_kibibytes_max, contacts_per_customer_max, TooManyContacts } from "../CustomerErrors.ts"
import { CustomersRepo } from "../CustomersRepo.ts"
import { contactEvent } from "../Contact.ts"
import type { Contact, ContactChanges, ContactDetails, ContactDraft, ContactsQuery } from "../Contact.ts"
import { ContactsRepo } from "../ContactsRepo.ts"

/**
 * A customer includes its contacts. So each write of a contact increments the version of the customer, and sends
 * `customer.updated` after the contact's own event. Each write locks the customer, so that writes run one after the
 * other.
 */
export class Contacts extends Context.Service<
  Contacts,
  {
    readonly get: (id: ContactId) => Effect.Effect<Contact, NotFound, CurrentOrganization>
    readonly list: (query: ContactsQuery) => Effect.Effect<Listing<Contact | Deletion>, never, CurrentOrganization>
    readonly create: (draft: ContactDraft) => Effect.Effect<Contact, ValidationFailed | TooManyContacts, Caller>
    readonly update: (
      id: ContactId,
      changes: ContactChanges
    ) => Effect.Effect<Contact, NotFound | ValidationFailed | TooManyContacts | PreconditionFailed, Caller>
    /**
     * Locks the customers of contacts that a transaction will change. Must run before the transaction's first write.
     */
    readonly hold: (ids: ReadonlyArray<ContactId>) => Effect.Effect<void, never, CurrentOrganization>
    readonly remove: (id: ContactId) => Effect.Effect<{ readonly id: ContactId }, NotFound | PreconditionFailed, Caller>
  }
>()("invoicing/customers/contacts/Contacts") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ContactsRepo
      const customers = yield* CustomersRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const get = Effect.fn("Contacts.get")(function* (id: ContactId) {
        yield* Effect.annotateCurrentSpan({ "contact.id": id })
        const organization = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id: organization.id, id }))
      })

      const list = Effect.fn("Contacts.list")(function* (query: ContactsQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* repo.list(organization_id, query)
      })

      const create = Effect.fn("Contacts.create")(function* (draft: ContactDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const details = { ...absent, ...draft, ...clientDataOf(draft), is_primary: draft.is_primary ?? false }
        const { customer_id } = details
        const customer_ids = yield* lockCustomers([customer_id])
        if (customer_ids.length === 0) return yield* unknownCustomer()
        const replaced = details.is_primary ? yield* replacePrimary(customer_id) : []
        const contact = yield* repo.insert({ organization_id, ...details, search: searchOf(details) })
        yield* requireRoom(customer_id)
        const event = yield* contactEvent("contact.created", contact)
        yield* record("contact.created", contact.id, customer_ids, [...replaced, event])
        return contact
      }, transaction)

      const update = Effect.fn("Contacts.update")(function* (id: ContactId, sent: ContactChanges) {
        const { id: organization_id } = yield* CurrentOrganization
        const { customer_ids, stored } = yield* lock(id, sent.customer_id)
        const changes = yield* changesTo(stored, sent)
        if (isUnchanged(changes)) return stored
        const details = { ...stored, ...changes, ...clientDataOf(changes, stored) }
        const { customer_id } = details
        if (!customer_ids.includes(customer_id)) return yield* unknownCustomer()
        const isAlreadyPrimary = stored.is_primary && stored.customer_id === customer_id
        const replaced = details.is_primary && !isAlreadyPrimary ? yield* replacePrimary(customer_id) : []
        const contact = yield* repo.save({ organization_id, ...details, search: searchOf(details) })
        // Earlier versions stored larger contacts, which may still be changed without growing.
        if (customer_id !== stored.customer_id || sizeOf(details) > sizeOf(stored)) yield* requireRoom(customer_id)
        const event = yield* contactEvent("contact.updated", contact)
        yield* record("contact.updated", id, customer_ids, [...replaced, event])
        return contact
      }, transaction)

      const remove = Effect.fn("Contacts.remove")(function* (id: ContactId) {
        const { id: organization_id } = yield* CurrentOrganization
        const { customer_ids, stored } = yield* lock(id)
        yield* repo.remove({ organization_id, id })
        yield* record("contact.deleted", id, customer_ids, [yield* contactEvent("contact.deleted", stored)])
        return { id }
      }, transaction)

      const hold = Effect.fn("Contacts.hold")(function* (ids: ReadonlyArray<ContactId>) {
        const organization = yield* CurrentOrganization
        if (ids.length === 0) return
        const found = yield* repo.findAll({ organization_id: organization.id, ids })
        if (found.length > 0) yield* lockCustomers(found.map(({ customer_id }) => customer_id))
      })

      /** Locks the contact's customer, and `target`, to which the contact moves. A contact has no lock of its own. */
      const lock = Effect.fnUntraced(function* (id: ContactId, target?: CustomerId) {
        const { customer_id } = yield* get(id)
        const customer_ids = yield* lockCustomers([customer_id, target ?? customer_id])
        // The contact is read again, because it may have changed before the lock.
        const stored = yield* get(id)
        yield* requireVersion(stored.version)
        // The contact has moved to a customer that is not locked here, so the caller's version is outdated.
        if (!customer_ids.includes(stored.customer_id)) return yield* PreconditionFailed.of(stored.version)
        return { stored, customer_ids }
      })

      const lockCustomers = Effect.fnUntraced(function* (ids: ReadonlyArray<CustomerId>) {
        const organization = yield* CurrentOrganization
        const locked = yield* customers.lockAll({ organization_id: organization.id, ids })
        return locked.map(({ id }) => id)
      })

      /** Refuses a write after which a customer's contacts exceed a limit. The customer must be locked. */
      const requireRoom = Effect.fnUntraced(function* (customer_id: CustomerId) {
        const { id: organization_id } = yield* CurrentOrganization
        const { bytes, total } = yield* repo.measure({ organization_id, customer_id })
        const isFull = total > contacts_per_customer_max || bytes > contacts_kibibytes_max * 1024
        if (isFull) return yield* TooManyContacts.of()
      })

      /** Makes room for another primary contact, and returns the events about the contacts that were primary. */
      const replacePrimary = Effect.fnUntraced(function* (customer_id: CustomerId) {
        const { id: organization_id } = yield* CurrentOrganization
        const replaced = yield* repo.clearPrimary({ organization_id, customer_id })
        return yield* Effect.forEach(replaced, (contact) => contactEvent("contact.updated", contact))
      })

      const record = Effect.fnUntraced(function* (
        action: string,
        contact_id: ContactId,
        ids: ReadonlyArray<CustomerId>,
        own: NonNullable<Entry["events"]>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const touched = yield* customers.touchAll({ organization_id, ids })
        const data = { contact_id, customer_ids: touched.map(({ id }) => id) }
        const events = [...own, ...touched.map((customer) => customerEvent("customer.updated", customer))]
        yield* auditLog.append(yield* callerEntry(action, data, events))
      })

      return Contacts.of({ get, list, create, update, remove, hold })
    })
  ).pipe(Layer.provide([ContactsRepo.layer, CustomersRepo.layer]))
}

const absent = { email: null, phone: null, position: null, notes: null }

/** Size of the fields that may be large. */
const sizeOf = ({ metadata, notes }: ContactDetails): number => JSON.stringify([metadata, notes]).length

const searchOf = ({ email, name }: ContactDetails): string => searchText([name, email])

const unknownCustomer = () =>
  ValidationFailed.of({ customer_id: ["The customer_id field must be the id of a customer of the organization."] })
