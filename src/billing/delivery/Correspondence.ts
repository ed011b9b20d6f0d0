import { Context, Effect, Layer } from "effect"
import { Customers } from "../../customers/Customers.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { Correspondents, PrintedCustomer } from "./DocumentPdf.ts"

/** A printed document. */
export interface DocumentFile {
  /** Name for saving it, e.g. "INV-2026-0042.pdf": its number, or the reference of a draft. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Who a document of the current organization goes to, and whose letterhead it bears. */
export class Correspondence extends Context.Service<
  Correspondence,
  {
    readonly on: (document: {
      readonly customer: { readonly id: CustomerId; readonly name: string }
    }) => Effect.Effect<Correspondents, NotFound, CurrentOrganization>
  }
>()("invoicing/billing/delivery/Correspondence") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const organizations = yield* Organizations

      const on: Correspondence["Service"]["on"] = Effect.fn("Correspondence.on")(function* ({
        customer: { id, name }
      }) {
        const customer = yield* customers
          .get(id)
          .pipe(Effect.catchTag("NotFound", () => Effect.succeed(withoutAddress(name))))
        const { id: organization_id } = yield* CurrentOrganization
        const organization = yield* organizations.get(organization_id)
        const { payment_bic, payment_iban } = organization.settings
        return { customer, organization: { ...organization, iban: payment_iban ?? null, bic: payment_bic ?? null } }
      })

      return Correspondence.of({ on })
    })
  ).pipe(Layer.provide([Customers.layer, Organizations.layer]))
}

/** The customer of a draft may have been deleted since; the name stays on it. */
const withoutAddress = (name: string): PrintedCustomer => ({
  name,
  address_line1: null,
  address_line2: null,
  postal_code: null,
  city: null,
  state: null,
  country: null,
  tax_number: null,
  language: null
})
