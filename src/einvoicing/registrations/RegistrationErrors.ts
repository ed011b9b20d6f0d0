import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { ProviderCode } from "../providers/Network.ts"
import type { NetworkRefused, NetworkUnavailable } from "../providers/Provider.ts"
import type { StoredRegistration } from "../records/Registration.ts"
import { described } from "../../kernel/Described.ts"

/** The request names a provider of another country. Switching the provider requires a new registration. */
export class ProviderMismatch extends Schema.Error<ProviderMismatch>("ProviderMismatch")(
  {
    ...refusal("ProviderMismatch", "provider_mismatch"),
    details: described(Schema.Struct({ provider: ProviderCode }), "The right provider.")
  },
  {
    httpApiStatus: 422,
    description:
      "The request names another provider than that of the country; leave the provider out or name the right one."
  }
) {
  static of(provider: ProviderCode) {
    return new ProviderMismatch({ message: `The provider here is ${provider}.`, details: { provider } })
  }
}

export class RoleRequired extends Schema.Error<RoleRequired>("RoleRequired")(refusal("RoleRequired", "role_required"), {
  httpApiStatus: 422,
  description: "At least one of the roles sender and receiver must stay enabled."
}) {
  static of() {
    return new RoleRequired({ message: "At least one of the roles sender and receiver must stay enabled." })
  }
}

export class AlreadyRegistered extends Schema.Error<AlreadyRegistered>("AlreadyRegistered")(
  {
    ...refusal("AlreadyRegistered", "already_registered"),
    details: described(
      Schema.Struct({
        status: described(Schema.String, "Status of the existing registration."),
        provider: ProviderCode
      }),
      "The existing registration."
    )
  },
  { httpApiStatus: 422, description: "The organization has a registration already; change that one." }
) {
  static of({ provider, status }: StoredRegistration) {
    return new AlreadyRegistered({
      message: `The organization has a registration with ${provider} already, which is ${status}.`,
      details: { status, provider }
    })
  }
}

export class RegistrationClosed extends Schema.Error<RegistrationClosed>("RegistrationClosed")(
  {
    ...refusal("RegistrationClosed", "registration_closed"),
    details: described(
      Schema.Struct({ status: described(Schema.String, "Status of the registration.") }),
      "The current registration."
    )
  },
  { httpApiStatus: 422, description: "A rejected or ended registration cannot be changed; register again." }
) {
  static of({ status }: StoredRegistration) {
    return new RegistrationClosed({
      message: `The registration is ${status} and can no longer be changed; register again.`,
      details: { status }
    })
  }
}

export class RegistrationRefused extends Schema.Error<RegistrationRefused>("RegistrationRefused")(
  {
    ...refusal("RegistrationRefused", "registration_refused"),
    details: described(
      Schema.Struct({ reason: described(Schema.String, "Stable name of the reason, such as `identifier_taken`.") }),
      "The answer of the network."
    )
  },
  {
    httpApiStatus: 422,
    description: "The network refused the entity, and would refuse the same request again; correct the data."
  }
) {
  static of({ code, message }: NetworkRefused) {
    return new RegistrationRefused({ message, details: { reason: code } })
  }
}

export class NetworkFailed extends Schema.Error<NetworkFailed>("NetworkFailed")(
  {
    ...refusal("NetworkFailed", "network_unavailable"),
    retryable: described(Schema.Literal(true), "Always true: a later request can succeed.")
  },
  { httpApiStatus: 500, description: "The network did not answer, so nothing was registered; try again later." }
) {
  static of({ message }: NetworkUnavailable) {
    return new NetworkFailed({ message, retryable: true })
  }
}

export class NetworkUpdateFailed extends Schema.Error<NetworkUpdateFailed>("NetworkUpdateFailed")(
  {
    ...refusal("NetworkUpdateFailed", "network_update_failed"),
    details: described(
      Schema.Struct({
        retryable: described(Schema.Boolean, "True if the network did not answer; false if it refused the change.")
      }),
      "Whether to try again."
    )
  },
  { httpApiStatus: 502, description: "The network did not accept the change, so nothing was changed." }
) {
  static of({ _tag, message }: NetworkRefused | NetworkUnavailable) {
    return new NetworkUpdateFailed({
      message: `The change was not made: ${message}`,
      details: { retryable: _tag === "NetworkUnavailable" }
    })
  }
}

/** The registration is in a state in which this decision is impossible. */
export class RegistrationUndecidable extends Schema.Error<RegistrationUndecidable>("RegistrationUndecidable")(
  refusal("RegistrationUndecidable", "registration_undecidable"),
  { httpApiStatus: 422 }
) {
  static of({ status }: StoredRegistration) {
    return new RegistrationUndecidable({ message: `The registration is ${status}.` })
  }
}
