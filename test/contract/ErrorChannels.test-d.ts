/** The exact error channels of methods: `npm run types` fails if one gains or loses a member. */
import type { Effect, Schema } from "effect"
import type { HttpClientError } from "effect/http"
import type { HttpApiClient } from "effect/http-api"
import { expectTypeOf } from "vitest"
import type { Api } from "../../src/Api.ts"
import type { InvoiceLocked, NonChronological } from "../../src/billing/invoices/InvoiceErrors.ts"
import type { NumberTaken } from "../../src/billing/numbering/NumberTaken.ts"
import type { Invoices } from "../../src/billing/invoices/Invoices.ts"
import type {
  AlreadyPaid,
  AmountExceedsBalance,
  AmountExceedsRefundable
} from "../../src/billing/payments/PaymentErrors.ts"
import type { Payments } from "../../src/billing/payments/Payments.ts"
import type { Refunds } from "../../src/billing/payments/Refunds.ts"
import type { CustomerDeleted, CustomerHasDocuments } from "../../src/customers/CustomerErrors.ts"
import type { Customers } from "../../src/customers/Customers.ts"
import type { InvalidGrant, InvalidScope } from "../../src/identity/oauth/OAuthErrors.ts"
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

/** The typed failures of a method. */
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
expectTypeOf<FailuresOf<typeof members.remove>>().toEqualTypeOf<NotFound | OwnersOnly | LastOwner | CannotRemoveSelf>()
expectTypeOf<FailuresOf<typeof tokens.refresh>>().toEqualTypeOf<InvalidGrant | InvalidScope>()

// @ts-expect-error A member too few: without this line failing, the lines above would prove nothing.
expectTypeOf<FailuresOf<typeof invoices.update>>().toEqualTypeOf<NotFound | PreconditionFailed | ValidationFailed>()
// @ts-expect-error A member too many.
expectTypeOf<FailuresOf<typeof tokens.refresh>>().toEqualTypeOf<InvalidGrant | InvalidScope | NotFound>()

/** Failures of any client call: the network, or an answer that the contract does not declare. */
type Transport = HttpClientError.HttpClientError | Schema.SchemaError
type Unauthorized = Unauthenticated | MissingScope
/** Refusals of every business endpoint. */
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

declare const client: HttpApiClient.ForApi<typeof Api>

const getCustomer = () => client.customers.get({ params: { id } })
const createInvoice = () => client.invoices.create({ payload: invoice })
const markSent = () => client.invoices.markSent({ params: { id: invoiceId }, payload: null })
const createPayment = () => client.payments.create({ payload: payment })
const user = () => client.session.user({})

declare const id: Parameters<Customers["Service"]["get"]>[0]
declare const invoiceId: Parameters<Invoices["Service"]["get"]>[0]
declare const invoice: Parameters<Invoices["Service"]["create"]>[0]
declare const payment: Parameters<Payments["Service"]["create"]>[0]

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
// @ts-expect-error A refusal too few.
expectTypeOf<FailuresOf<typeof markSent>>().toEqualTypeOf<OneTooFew>()
