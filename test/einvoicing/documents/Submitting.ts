import { Effect, Layer } from "effect"
import { EinvoiceFollowUp } from "../../../src/einvoicing/transmissions/EinvoiceFollowUp.ts"
import { EinvoiceTransmission } from "../../../src/einvoicing/transmissions/EinvoiceTransmission.ts"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { EinvoiceId, OrganizationId } from "../../../src/kernel/Ids.ts"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"
import type { App, Call } from "../../support/App.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { approved, enterpriseNumber, magic, registrationBody } from "../../support/counterparts/Network.ts"
import type { SeedOptions } from "../../support/database/Seed.ts"

const services = Layer.merge(EinvoiceTransmission.layer, EinvoiceFollowUp.layer).pipe(Layer.provide(ConnectedProviders))

interface Identified {
  readonly id: number
}

export const useEinvoicing = (changes: Partial<Settings> = {}) => {
  const { app, open } = useBilling(changes)
  return { app, open: async (options: SeedOptions = {}) => sellerOf(app, await open(options)) }
}

/** Books of an organization whose invoices break no rule, with helpers for requests about its e-invoices. */
export const sellerOf = async (app: App, books: Books) => {
  await books.made("PUT", `/organizations/${books.id}`, {
    tax_number: "BE0202239951",
    address_line1: "Kerkstraat 1",
    city: "Gent",
    postal_code: "9000",
    settings: [{ key: "payment_iban", value: "BE71096123456769" }]
  })
  await books.made("PUT", `/customers/${books.customer_id}`, { country: "BE", tax_number: "BE0123456749" })

  const register = async (given: object = {}) => {
    const draft = registrationBody(books.id, { identifier_value: enterpriseNumber(), ...given })
    const { id, status } = await books.made("POST", "/einvoicing/register", draft)
    // A clearance authority accepts an organization immediately; other networks accept it only after an approval.
    if (status === "pending") await app.run(approved(books.id, id))
  }

  const body = (invoice: Identified, given: object = {}) => ({
    organization_id: books.id,
    invoice_id: invoice.id,
    recipient_identifier_scheme: "0088",
    recipient_identifier_value: magic.accepted,
    recipient_name: "Beta NV",
    recipient_country_code: "BE",
    ...given
  })
  const submit = (invoice: Identified, given: object = {}, further?: Call) =>
    books.call("POST", "/einvoicing/invoices", body(invoice, given), further)
  const submitted = async (invoice: Identified, given: object = {}) => {
    const answer = await submit(invoice, given)
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
    return answer.body.data
  }
  const validate = (invoice: Identified, given: object = {}) =>
    books.call("POST", "/einvoicing/validate", body(invoice, given))
  const at = (id: number, rest = "") => books.call("GET", `/einvoicing/invoices/${id}${rest}`)

  const key = (id: number) => ({ organization_id: OrganizationId.make(books.id), id: EinvoiceId.make(id) })
  /** Transmits a submission as a worker does, and returns "done" or the tag of the failure. */
  const transmit = (id: number, last = false) =>
    app.run(
      EinvoiceTransmission.use((transmission) => transmission.transmit(key(id), { last })).pipe(
        Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "done" }),
        Effect.provide(services)
      )
    )
  const follow = (id: number, poll: { readonly polls?: number } = {}) =>
    app.run(EinvoiceFollowUp.use(({ follow }) => follow({ ...key(id), ...poll })).pipe(Effect.provide(services)))
  const followExtra = (id: number) =>
    app.run(EinvoiceFollowUp.use(({ followExtra }) => followExtra(key(id))).pipe(Effect.provide(services)))
  /** Lets a poll that is due wait for the turn of its organization, as a worker does. */
  const queue = (id: number, poll: { readonly polls: number } | { readonly is_extra: true }) =>
    app.run(EinvoiceFollowUp.use(({ queue }) => queue({ ...key(id), ...poll })).pipe(Effect.provide(services)))
  const resume = () => app.run(EinvoiceFollowUp.use(({ resume }) => resume).pipe(Effect.provide(services)))
  const carried = async (id: number) => {
    await transmit(id)
    await follow(id)
    return (await at(id)).body.data
  }

  const polls = { follow, followExtra, queue, resume }
  return { ...books, register, body, submit, submitted, validate, at, transmit, ...polls, carried }
}
