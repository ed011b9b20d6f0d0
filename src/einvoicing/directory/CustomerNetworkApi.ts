import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { CustomerId, inText } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
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

/** The endpoint of customers that asks the network (spec, Endpoints: Customers). */
export class CustomerNetworkApi extends HttpApiGroup.make("customerNetwork")
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
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/customers") {}
