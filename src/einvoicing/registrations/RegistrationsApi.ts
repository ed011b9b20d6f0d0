import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data } from "../../kernel/Envelope.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { UsesOtherSystems } from "../../platform/http/Contract.ts"
import { ServerError } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { Registration, RegistrationChanges, RegistrationDraft } from "./Registration.ts"
import {
  AlreadyRegistered,
  NetworkFailed,
  NetworkUpdateFailed,
  ProviderMismatch,
  RegistrationClosed,
  RegistrationRefused,
  RoleRequired
} from "./RegistrationErrors.ts"

/** Spec, Endpoints: E-invoicing, registration. */
export class RegistrationsApi extends HttpApiGroup.make("registrations")
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
    }).annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("get", "/registration", { success: data(Registration), error: NotFound }),
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
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing") {}
