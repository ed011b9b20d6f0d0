import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { Registrations } from "./Registrations.ts"
import { RegistrationsApi } from "./RegistrationsApi.ts"

export const RegistrationsHttp = HttpApiBuilder.group(
  contract.add(RegistrationsApi),
  "registrations",
  Effect.fn(function* (handlers) {
    const registrations = yield* Registrations
    return handlers.handleAll({
      register: ({ payload }) => registrations.register(payload),
      get: () => registrations.get,
      update: ({ payload }) => registrations.update(payload)
    })
  })
)
