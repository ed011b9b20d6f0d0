import { Context, Effect, Layer, Option } from "effect"
import { Customers } from "../../customers/Customers.ts"
import { identifierScheme } from "../../customers/identifiers/NetworkIdentifier.ts"
import { now } from "../../kernel/Calendar.ts"
import type { CountryCode } from "../../kernel/Country.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { networks } from "../providers/Network.ts"
import { Directory } from "./Directory.ts"
import {
  CountryUnresolved,
  CountryUnsupported,
  IdentifierMissing,
  type LookupUnsupported,
  type NetworkDown
} from "./DirectoryErrors.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import type { CustomerOnNetwork } from "./Participant.ts"

export class CustomerNetwork extends Context.Service<
  CustomerNetwork,
  {
    /**
     * Asks the network whether it knows the customer's identifier. A positive answer is stored, whoever asks, unless the
     * organization is archived; a negative answer is never stored.
     */
    readonly validate: (
      id: CustomerId
    ) => Effect.Effect<
      CustomerOnNetwork,
      | NotFound
      | IdentifierMissing
      | CountryUnresolved
      | CountryUnsupported
      | LookupUnsupported
      | ProviderNotConfigured
      | NetworkDown,
      Caller
    >
  }
>()("invoicing/einvoicing/directory/CustomerNetwork") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const directory = yield* Directory

      const validate = Effect.fn("CustomerNetwork.validate")(function* (id: CustomerId) {
        const {
          country,
          einvoicing_identifier_scheme: scheme,
          einvoicing_identifier_value: value
        } = yield* customers.get(id)
        if (scheme === null || value === null) return yield* IdentifierMissing.of()
        const network = yield* networkFor(country, scheme)
        const identifier = { scheme, value }
        const looked = yield* directory.lookup(network, identifier)
        const participant = Option.getOrUndefined(looked.participant)
        const { archived } = yield* CurrentOrganization
        if (participant !== undefined && !archived) yield* customers.markVerified(id, identifier, yield* now)
        const verified_at = Option.getOrNull(yield* customers.verifiedAt(id, identifier))
        return {
          customer_id: id,
          ...identifier,
          found: participant !== undefined,
          verified: verified_at !== null,
          verified_at,
          provider: network.code,
          environment: looked.environment,
          network: network.code,
          document_types: participant?.document_types ?? []
        }
      })

      return CustomerNetwork.of({ validate })
    })
  ).pipe(Layer.provide([Customers.layer, Directory.layer]))
}

/** Returns the network of a country. A missing country is inferred from a scheme that only one country uses. */
const networkFor = Effect.fnUntraced(function* (country: CountryCode | null, scheme: string) {
  const resolved = country ?? Option.getOrNull(identifierScheme(scheme))?.country ?? null
  if (resolved === null) return yield* CountryUnresolved.of()
  const known = einvoicingCountry(resolved)
  return Option.isSome(known) ? networks[known.value.network] : yield* CountryUnsupported.of(resolved)
})
