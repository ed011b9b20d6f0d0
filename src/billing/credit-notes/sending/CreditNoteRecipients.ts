import { Context, Effect, Layer, Option } from "effect"
import { Customers } from "../../../customers/Customers.ts"
import type { ContactId } from "../../../kernel/Ids.ts"
import { ValidationFailed } from "../../../kernel/Refusal.ts"
import type { CurrentOrganization } from "../../../platform/http/Security.ts"
import { DocumentMail } from "../../sending/DocumentMail.ts"
import { distinct } from "../../sending/Send.ts"
import type { NoRecipient } from "../../sending/SendErrors.ts"
import type { CreditNoteFacts, SendCreditNote } from "../CreditNote.ts"

export class CreditNoteRecipients extends Context.Service<
  CreditNoteRecipients,
  {
    /** The requested addresses and contacts; or else the customer's address, or else that of its primary contact. */
    readonly of: (
      note: Pick<CreditNoteFacts, "customer_id">,
      body: SendCreditNote
    ) => Effect.Effect<ReadonlyArray<string>, ValidationFailed | NoRecipient, CurrentOrganization>
  }
>()("invoicing/billing/credit-notes/sending/CreditNoteRecipients") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const mail = yield* DocumentMail

      const of = Effect.fn("CreditNoteRecipients.of")(function* (
        { customer_id }: Pick<CreditNoteFacts, "customer_id">,
        { contact_ids, recipients }: SendCreditNote
      ) {
        const customer = Option.getOrNull(yield* Effect.option(customers.get(customer_id)))
        const { addresses, errors } = addressesOf(contact_ids ?? [], customer?.contacts ?? [])
        if (Object.keys(errors).length > 0) return yield* ValidationFailed.of(errors)
        const named = distinct([...(recipients ?? []), ...addresses])
        // The default recipient is the customer's email address (rules/credit-notes.md, Sending).
        const usual = customer === null || customer.email === null ? [] : [customer.email]
        return yield* mail.recipients(named.length > 0 ? named : usual, customer_id)
      })

      return CreditNoteRecipients.of({ of })
    })
  ).pipe(Layer.provide([Customers.layer, DocumentMail.layer]))
}

interface Reachable {
  readonly id: ContactId
  readonly email: string | null
}

const addressesOf = (ids: ReadonlyArray<ContactId>, contacts: ReadonlyArray<Reachable>) => {
  const errors: Record<string, ReadonlyArray<string>> = {}
  const addresses = ids.flatMap((id, index) => {
    const email = contacts.find((contact) => contact.id === id)?.email ?? null
    if (email !== null) return [email]
    const field = `contact_ids.${index}`
    errors[field] = [`The ${field} field must name a contact of the customer who has an email address.`]
    return []
  })
  return { addresses, errors }
}
