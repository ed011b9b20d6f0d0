import { Effect, Layer } from "effect"
import { installationKeys } from "../../platform/crypto/InstallationKeys.ts"
import { SealedSecretsRepo } from "./SealedSecretsRepo.ts"

/**
 * Warns at the start if secrets were sealed with a key that SECRET_KEY does not hold. Such a process answers requests,
 * but sends no webhook, reaches no provider, and lets nobody with a second factor log in, which would otherwise be
 * noticed late.
 */
export const KeyNotice = Layer.effectDiscard(
  Effect.gen(function* () {
    const { secret_keys } = yield* installationKeys
    const repo = yield* SealedSecretsRepo
    const found = yield* repo.countByKey()
    const unknown = found.filter(({ key }) => !secret_keys.includes(key))
    for (const { key, secrets } of unknown) {
      yield* Effect.logError(
        `SECRET_KEY has no key with the id ${key}, and ${secrets} stored secrets cannot be opened: ` +
          "their webhooks, connections to providers and second steps fail. Stop the service, and set the former key. " +
          "If it is lost, the guide Administration says under Keys what to do."
      )
    }
  }).pipe(
    // A database failure at this moment must not end a process that already listens.
    Effect.catchCause((cause) => Effect.logWarning("the keys of stored secrets were not compared", cause))
  )
).pipe(Layer.provide(SealedSecretsRepo.layer))
