import { Context, Effect, Layer, Option } from "effect"
import { Invoices } from "../../billing/invoices/writing/Invoices.ts"
import { Customers } from "../../customers/Customers.ts"
import { identifierScheme } from "../../customers/identifiers/NetworkIdentifier.ts"
import type { CountryCode } from "../../kernel/Country.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { accessRows } from "../../organizations/access/Access.ts"
import { holds } from "../../organizations/access/Permission.ts"
import { missingScope } from "../../organizations/access/Rights.ts"
import { Forbidden, MissingScope } from "../../platform/http/Refusals.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Einvoice } from "./Einvoice.ts"
import { NoNetworkRecipient } from "./SubmissionErrors.ts"
import { Submissions } from "./Submissions.ts"

/** The recipient that a request names. It is used in place of the identifier that is stored for the customer. */
interface NamedRecipient {
  readonly identifier_scheme: string
  readonly identifier_value: string
  readonly name?: string | null | undefined
  readonly country_code?: CountryCode | null | undefined
}

type SubmissionRefused = Effect.Error<ReturnType<Submissions["Service"]["submit"]>>

export class CustomerSubmissions extends Context.Service<
  CustomerSubmissions,
  {
    /** Requires the scopes and the permission of a submission, because the caller may be authorized for less. */
    readonly submit: (
      id: InvoiceId,
      recipient: NamedRecipient | null
    ) => Effect.Effect<Einvoice, NotFound | MissingScope | Forbidden | NoNetworkRecipient | SubmissionRefused, Caller>
  }
>()("invoicing/einvoicing/documents/CustomerSubmissions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const customers = yield* Customers
      const submissions = yield* Submissions

      const recipientOf = Effect.fnUntraced(function* (id: InvoiceId, named: NamedRecipient | null) {
        const { customer, customer_id } = yield* invoices.get(id)
        const known = Option.getOrNull(yield* Effect.option(customers.get(customer_id)))
        const scheme = named?.identifier_scheme ?? known?.einvoicing_identifier_scheme ?? null
        const value = named?.identifier_value ?? known?.einvoicing_identifier_value ?? null
        const implied = Option.getOrNull(identifierScheme(scheme ?? ""))?.country
        const country = named?.country_code ?? known?.country ?? implied ?? null
        if (scheme === null || value === null || country === null) return yield* NoNetworkRecipient.of(customer_id)
        return {
          recipient_identifier_scheme: scheme,
          recipient_identifier_value: value,
          recipient_name: named?.name ?? customer.name,
          recipient_country_code: country
        }
      })

      const submit = Effect.fn("CustomerSubmissions.submit")(function* (id: InvoiceId, named: NamedRecipient | null) {
        const { id: organization_id, role } = yield* CurrentOrganization
        const missing = missingScope(yield* CurrentPrincipal, accessRows["einvoices.submit"].scopes)
        if (missing !== undefined) return yield* MissingScope.of(missing)
        if (role !== null && !holds(role, "einvoicing.submit")) return yield* Forbidden.of("einvoicing.submit")
        const recipient = yield* recipientOf(id, named)
        return yield* submissions.submit({ organization_id, invoice_id: id, ...recipient })
      })

      return CustomerSubmissions.of({ submit })
    })
  ).pipe(Layer.provide([Invoices.layer, Customers.layer, Submissions.layer]))
}
