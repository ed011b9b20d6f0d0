import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CountryCode } from "../../kernel/Country.ts"
import { data } from "../../kernel/Envelope.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { ServerError } from "../../platform/http/Refusals.ts"
import { Nature } from "../countries/EinvoicingCountry.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { ProviderMismatch } from "../registrations/RegistrationErrors.ts"
import { LookupUnsupported, NetworkDown } from "./DirectoryErrors.ts"
import { country_text, FoundParticipant, Network, NetworkProvider, participantQuery } from "./Participant.ts"
import { Requirements } from "../registrations/Requirements.ts"
import { described } from "../../kernel/Described.ts"

export class DirectoryApi extends HttpApiGroup.make("einvoicingDirectory")
  .annotateMerge(
    tag(
      "E-invoicing directory",
      "Networks, providers, required identifiers and the participants that can receive e-invoices."
    )
  )
  .add(
    HttpApiEndpoint.get("requirements", "/identifiers/requirements", {
      query: {
        country_code: described(CountryCode, country_text),
        nature: described(
          Schema.optionalKey(Nature),
          "Nature of the legal entity, which decides its identifier schemes. Default: `company`."
        )
      },
      success: data(Requirements),
      error: [ValidationFailed, ServerError]
    }).annotateMerge(
      operation(
        "Get what a country requires",
        "Returns the identifiers and the fields that a registration in this country needs."
      )
    ),
    HttpApiEndpoint.get("networks", "/networks", { success: data(Schema.Array(Network)) }).annotateMerge(
      operation("List networks", "Returns the e-invoicing networks and their countries.")
    ),
    HttpApiEndpoint.get("providers", "/providers", { success: data(Schema.Array(NetworkProvider)) }).annotateMerge(
      operation("List providers", "Returns the providers and what each of them can do.")
    ),
    HttpApiEndpoint.get("search", "/participants/search", {
      query: participantQuery,
      success: data(FoundParticipant),
      error: [
        NotFound,
        ValidationFailed,
        ProviderMismatch,
        LookupUnsupported,
        ProviderNotConfigured,
        NetworkDown,
        ServerError
      ]
    }).annotateMerge(
      operation(
        "Find a participant",
        "Looks up an identifier in the directory of the network; 404 if no participant has it, 503 if the network does " +
          "not answer."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing") {}
