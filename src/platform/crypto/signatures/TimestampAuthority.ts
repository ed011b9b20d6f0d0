import { Context, Effect, Layer, Option } from "effect"
import { AppConfig } from "../../config/AppConfig.ts"
import { Outbound } from "../../outbound/Outbound.ts"
import { requestToken } from "./TimestampToken.ts"

/** The time-stamping authority (RFC 3161) in the configuration, if there is one. */
export class TimestampAuthority extends Context.Service<
  TimestampAuthority,
  {
    /** Returns the token for the SHA-256 of the bytes, in base64; `None` if there is no authority, or no answer. */
    readonly confirm: (bytes: Uint8Array) => Effect.Effect<Option.Option<string>>
  }
>()("invoicing/platform/crypto/signatures/TimestampAuthority") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { timestampUrl } = yield* AppConfig
      const outbound = yield* Outbound
      const confirm = Effect.fn("TimestampAuthority.confirm")(function* (bytes: Uint8Array) {
        if (Option.isNone(timestampUrl)) return Option.none()
        return yield* requestToken(outbound, timestampUrl.value, bytes).pipe(
          Effect.tapError(({ message }) =>
            Effect.logWarning(`no time stamp from ${timestampUrl.value.host}: ${message}`)
          ),
          Effect.option
        )
      })
      return TimestampAuthority.of({ confirm })
    })
  ).pipe(Layer.provide(Outbound.layer))
}
