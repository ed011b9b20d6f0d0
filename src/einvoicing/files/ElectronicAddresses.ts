import { Context, Effect, Layer, Option } from "effect"
import { Customers } from "../../customers/Customers.ts"
import { checkIdentifier, easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { isInvoiceScheme } from "../../customers/identifiers/PeppolSchemes.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { Exchange } from "../sources/FromDocument.ts"
import { isLive } from "../records/Registration.ts"
import { mainAddress } from "../registrations/RegistrationRules.ts"
import { RegistrationsRepo } from "../registrations/RegistrationsRepo.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { type EinvoicingCountry, routingBetween, usual } from "../countries/EinvoicingCountry.ts"
import { directory_scheme } from "../countries/FrenchCodes.ts"

/** Finds the addresses of both parties, as a submission would state them. */
export class ElectronicAddresses extends Context.Service<
  ElectronicAddresses,
  {
    readonly between: (
      customer_id: CustomerId
    ) => Effect.Effect<Pick<Exchange, "sender" | "recipient">, never, CurrentOrganization>
  }
>()("invoicing/einvoicing/files/ElectronicAddresses") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const registrations = yield* RegistrationsRepo

      const between = Effect.fn("ElectronicAddresses.between")(function* (customer_id: CustomerId) {
        const { country: home, id } = yield* CurrentOrganization
        const registration = Option.getOrNull(Option.filter(yield* registrations.findCurrent(id), isLive))
        const customer = Option.getOrNull(yield* Effect.option(customers.get(customer_id)))
        const own = einvoicingCountry(registration?.country_code ?? home)
        const routed = Option.match(own, {
          onNone: () => usual.routed,
          onSome: (of) => routingBetween(of, customer?.country ?? of.code)
        })
        const main = registration === null ? null : mainAddress(registration)
        const recipient = addressOf(
          customer?.einvoicing_identifier_scheme ?? null,
          customer?.einvoicing_identifier_value ?? null,
          routed
        )
        return {
          sender: addressOf(main?.scheme ?? null, main?.value ?? null, routed),
          recipient: recipient === null ? null : { ...recipient, country_code: customer?.country ?? null }
        }
      })

      return ElectronicAddresses.of({ between })
    })
  ).pipe(Layer.provide([Customers.layer, RegistrationsRepo.layer]))
}

/** True if the French directory routes to both parties, so that the rules of the French reform apply. */
export const isFrenchExchange = ({ recipient, sender }: Pick<Exchange, "sender" | "recipient">): boolean =>
  sender?.scheme === directory_scheme && recipient?.scheme === directory_scheme

/** Returns null for an identifier that cannot address a document, such as one whose scheme is not on Peppol's list. */
const addressOf = (scheme: string | null, value: string | null, routed: EinvoicingCountry["routed"]) => {
  if (scheme === null || value === null) return null
  const address = routed({ scheme: easCode(scheme), value })
  const isAddress = isInvoiceScheme(address.scheme) && Option.isNone(checkIdentifier(address.scheme, address.value))
  return isAddress ? address : null
}
