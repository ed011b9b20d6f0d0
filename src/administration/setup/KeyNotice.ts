import { Effect, Layer } from "effect"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { installationKeys } from "../../platform/crypto/InstallationKeys.ts"
import { Signer } from "../../platform/crypto/Signer.ts"
import { SealedSecretsRepo } from "./SealedSecretsRepo.ts"

/**
 * If SECRET_KEY lacks a key that encrypted stored secrets, the service answers requests, but it cannot send webhooks,
 * reach providers, or log in users with a second factor.
 */
const secretsNotice = Effect.gen(function* () {
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
})

/** Warns if SIGNING_KEY lacks an earlier key, because the next proofs of the archives would then open incidents. */
const signaturesNotice = Effect.gen(function* () {
  const { trustedSigningKeys } = yield* AppConfig
  const { isOurs } = yield* Signer
  const proofs = yield* (yield* SealedSecretsRepo).proofs()
  const foreign = proofs.filter(
    ({ record, signature }) => ![undefined, ...trustedSigningKeys].some((key) => isOurs(record, signature, key))
  )
  if (foreign.length === 0) return
  yield* Effect.logError(
    `SIGNING_KEY does not have the key that signed the latest proofs of ${foreign.length} organizations: their next proof ` +
      "opens incidents. Stop the service, and set SIGNING_KEY=new,former. If the former key is lost, name its public " +
      "key in TRUSTED_SIGNING_KEYS; the guide Administration says under Keys where it is."
  )
})

/** Warns at the start, because people would notice missing keys late. */
export const KeyNotice = Layer.effectDiscard(
  Effect.andThen(secretsNotice, signaturesNotice).pipe(
    // A database failure at this point must not crash a process that is already listening.
    Effect.catchCause((cause) =>
      Effect.logWarning("the keys could not be compared with the stored seals and signatures", cause)
    )
  )
).pipe(Layer.provide(SealedSecretsRepo.layer))
