import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data } from "../../kernel/Envelope.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { ServerError } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { Registration, RegistrationChanges, RegistrationDraft } from "../records/Registration.ts"
import {
  AlreadyRegistered,
  NetworkFailed,
  NetworkUpdateFailed,
  ProviderMismatch,
  RegistrationClosed,
  RegistrationRefused,
  RoleRequired
} from "./RegistrationErrors.ts"

export class RegistrationsApi extends HttpApiGroup.make("registrations")
  .annotateMerge(tag("E-invoicing registration", "The registration of the organization with an e-invoicing network."))
  .add(
    HttpApiEndpoint.post("register", "/register", {
      payload: RegistrationDraft,
      success: created(Registration),
      error: [
        NotFound,
        ValidationFailed,
        ProviderMismatch,
        RoleRequired,
        AlreadyRegistered,
        RegistrationRefused,
        ProviderNotConfigured,
        NetworkFailed,
        ServerError
      ]
    })
      .annotateMerge(
        operation(
          "Register with an e-invoicing network",
          "Registers the organization. On a network with approval it stays `pending` until an administrator " +
            "approves it. A second registration is refused with 422 `already_registered`."
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("get", "/registration", { success: data(Registration), error: NotFound }).annotateMerge(
      operation(
        "Get the registration",
        "Returns the registration with its roles and identifiers; 404 if there is none."
      )
    ),
    HttpApiEndpoint.patch("update", "/registration", {
      payload: RegistrationChanges,
      success: data(Registration),
      error: [
        NotFound,
        ValidationFailed,
        ProviderMismatch,
        RoleRequired,
        RegistrationClosed,
        ProviderNotConfigured,
        NetworkUpdateFailed
      ]
    }).annotateMerge(
      operation(
        "Update the registration",
        "Changes the roles, or the data for the Spanish tax authority (`es_sii_registered` with " +
          "`es_foral_territory`). Another provider is refused with 422 `provider_mismatch`, a registration without " +
          "a role with 422 `role_required`, a rejected or ended one with 422 `registration_closed`. If the network " +
          "does not accept the change, nothing changes (502 `network_update_failed`)."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing") {}
