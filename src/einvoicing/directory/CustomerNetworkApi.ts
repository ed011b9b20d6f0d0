import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { CustomerId, inText } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import {
  CountryUnresolved,
  CountryUnsupported,
  IdentifierMissing,
  LookupUnsupported,
  NetworkDown
} from "./DirectoryErrors.ts"
import { CustomerOnNetwork } from "./Participant.ts"

export class CustomerNetworkApi extends HttpApiGroup.make("customerNetwork")
  .annotateMerge(tag("Customers on networks", "The check whether a customer can receive e-invoices."))
  .add(
    HttpApiEndpoint.get("validate", "/:id/validate-network", {
      params: { id: inText(CustomerId) },
      success: data(CustomerOnNetwork),
      error: [
        NotFound,
        IdentifierMissing,
        CountryUnresolved,
        CountryUnsupported,
        LookupUnsupported,
        ProviderNotConfigured,
        NetworkDown
      ]
    }).annotateMerge(
      operation(
        "Check whether a customer can receive e-invoices",
        "Looks the identifier of the customer up in the network, and keeps the result in " +
          "`einvoicing_identifier_verified`, unless the organization is archived. A customer without an identifier is refused with 422 " +
          "`identifier_missing`.",
        "customer.updated"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
