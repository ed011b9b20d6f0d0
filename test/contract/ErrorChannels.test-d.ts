/** The exact error channels of methods: `npm run types` fails if one gains or loses a member. */
import type { Effect, Schema } from "effect"
import type { HttpClientError } from "effect/http"
import { expectTypeOf } from "vitest"
import type { InvoiceLocked, NonChronological } from "../../src/billing/invoices/InvoiceErrors.ts"
import type { NumberTaken } from "../../src/billing/numbering/NumberTaken.ts"
import type { Invoices } from "../../src/billing/invoices/writing/Invoices.ts"
import type {
  AlreadyPaid,
  AmountExceedsBalance,
  AmountExceedsRefundable
} from "../../src/billing/payments/PaymentErrors.ts"
import type { Refunds } from "../../src/billing/payments/Refunds.ts"
import type { Invoicing } from "../../src/client/effect/EffectClient.ts"
import type { CustomerDeleted, CustomerHasDocuments } from "../../src/customers/CustomerErrors.ts"
import type { Customers } from "../../src/customers/Customers.ts"
import type { InvalidGrant, InvalidScope } from "../../src/identity/OAuthErrors.ts"
import type { Tokens } from "../../src/identity/tokens/Tokens.ts"
import type { BooksLocked } from "../../src/kernel/BooksLocked.ts"
import type { NotFound, PreconditionFailed, ValidationFailed } from "../../src/kernel/Refusal.ts"
import type { CannotRemoveSelf, LastOwner, OwnersOnly } from "../../src/organizations/members/MemberErrors.ts"
import type { Members } from "../../src/organizations/members/Members.ts"
import type {
  Forbidden,
  MalformedJson,
  MissingScope,
  OrganizationArchived,
  OrganizationForbidden,
  OrganizationRequired,
  Unauthenticated,
  UnknownFilter
} from "../../src/platform/http/Refusals.ts"

type FailuresOf<Method> = Method extends (...args: never) => Effect.Effect<unknown, infer E, unknown> ? E : "no effect"

declare const customers: Customers["Service"]
declare const invoices: Invoices["Service"]
declare const refunds: Refunds["Service"]
declare const members: Members["Service"]
declare const tokens: Tokens["Service"]

expectTypeOf<FailuresOf<typeof customers.remove>>().toEqualTypeOf<
  NotFound | CustomerHasDocuments | PreconditionFailed
>()
expectTypeOf<FailuresOf<typeof invoices.update>>().toEqualTypeOf<
  NotFound | PreconditionFailed | InvoiceLocked | ValidationFailed | BooksLocked
>()
expectTypeOf<FailuresOf<typeof refunds.refund>>().toEqualTypeOf<
  NotFound | ValidationFailed | AmountExceedsRefundable | BooksLocked
>()
expectTypeOf<FailuresOf<typeof members.remove>>().toEqualTypeOf<
  NotFound | OwnersOnly | LastOwner | CannotRemoveSelf | Forbidden
>()
expectTypeOf<FailuresOf<typeof tokens.refresh>>().toEqualTypeOf<InvalidGrant | InvalidScope>()

// @ts-expect-error One member is missing: if this compiled, the assertions above would prove nothing.
expectTypeOf<FailuresOf<typeof invoices.update>>().toEqualTypeOf<NotFound | PreconditionFailed | ValidationFailed>()
// @ts-expect-error There is one member too many.
expectTypeOf<FailuresOf<typeof tokens.refresh>>().toEqualTypeOf<InvalidGrant | InvalidScope | NotFound>()

/** Failures of any client call: the network, or an answer that the contract does not declare. */
type Transport = HttpClientError.HttpClientError | Schema.SchemaError
type Unauthorized = Unauthenticated | MissingScope
/** Refusals that every endpoint about an organization's records can return. */
type Refused =
  | Unauthorized
  | Forbidden
  | OrganizationRequired
  | OrganizationForbidden
  | OrganizationArchived
  | NotFound
  | MalformedJson
  | ValidationFailed
  | UnknownFilter

declare const client: Invoicing

const getCustomer = () => client.customers.get({ params: { id: 1 } })
const createInvoice = () => client.invoices.create({ payload: invoice })
const markSent = () => client.invoices.markSent({ params: { id: 1 } })
const createPayment = () =>
  client.payments.create({
    payload: { invoice_id: 1, amount: 121, payment_date: "2026-03-01", payment_method: "cash" }
  })
const user = () => client.session.user()

const invoice = {
  customer_id: 1,
  issue_date: "2026-03-01",
  due_date: "2026-03-31",
  currency: "EUR",
  items: [{ description: "Consulting", quantity: 3, unit_price: "95.00" }]
}

// @ts-expect-error A required field is missing.
void (() => client.invoices.create({ payload: { ...invoice, customer_id: undefined } }))
// @ts-expect-error The list has no such status.
void (() => client.invoices.list({ query: { status: "lost" } }))
// @ts-expect-error The endpoint has a parameter.
void (() => client.customers.get())

expectTypeOf<FailuresOf<typeof getCustomer>>().toEqualTypeOf<Refused | Transport>()
expectTypeOf<FailuresOf<typeof createInvoice>>().toEqualTypeOf<Refused | NumberTaken | BooksLocked | Transport>()
expectTypeOf<FailuresOf<typeof markSent>>().toEqualTypeOf<
  Refused | InvoiceLocked | NonChronological | NumberTaken | CustomerDeleted | BooksLocked | Transport
>()
expectTypeOf<FailuresOf<typeof createPayment>>().toEqualTypeOf<
  | Refused
  | AlreadyPaid
  | AmountExceedsBalance
  | InvoiceLocked
  | NonChronological
  | NumberTaken
  | CustomerDeleted
  | BooksLocked
  | Transport
>()
expectTypeOf<FailuresOf<typeof user>>().toEqualTypeOf<Unauthorized | Transport>()

type OneTooFew = Refused | NonChronological | NumberTaken | CustomerDeleted | BooksLocked | Transport
// @ts-expect-error One refusal is missing.
expectTypeOf<FailuresOf<typeof markSent>>().toEqualTypeOf<OneTooFew>()
