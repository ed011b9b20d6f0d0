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
import { directory_scheme } from "../countries/FrenchCodes.ts"

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

      const recipientOf = Effect.fnUntraced(function* (id: CustomerId) {
        const customer = Option.getOrNull(yield* Effect.option(customers.get(id)))
        const {
          country = null,
          einvoicing_identifier_scheme: scheme,
          einvoicing_identifier_value: value
        } = customer ?? {}
        const address = addressOf(scheme ?? null, value ?? null)
        return address === null ? null : { ...address, country_code: country }
      })

      const senderOf = Effect.fnUntraced(function* () {
        const { id } = yield* CurrentOrganization
        const registration = Option.getOrNull(Option.filter(yield* registrations.findCurrent(id), isLive))
        const main = registration === null ? null : mainAddress(registration)
        return addressOf(main?.scheme ?? null, main?.value ?? null)
      })

      const between = Effect.fn("ElectronicAddresses.between")(function* (customer_id: CustomerId) {
        return { sender: yield* senderOf(), recipient: yield* recipientOf(customer_id) }
      })

      return ElectronicAddresses.of({ between })
    })
  ).pipe(Layer.provide([Customers.layer, RegistrationsRepo.layer]))
}

/** True if both parties are in the French directory, so that the rules of the French reform apply. */
export const isFrenchExchange = ({ recipient, sender }: Pick<Exchange, "sender" | "recipient">): boolean =>
  sender?.scheme === directory_scheme && recipient?.scheme === directory_scheme

/** Returns null for an identifier that cannot address a document, such as one whose scheme is not on Peppol's list. */
const addressOf = (scheme: string | null, value: string | null) => {
  if (scheme === null || value === null) return null
  const code = easCode(scheme)
  return isInvoiceScheme(code) && Option.isNone(checkIdentifier(code, value)) ? { scheme: code, value } : null
}
