import { Effect, Layer, Option, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { RpcClient, type RpcClientError, RpcSerialization } from "effect/rpc"
import { AdministrationRpc } from "../../src/administration/AdministrationRpc.ts"
import { TimeZone } from "../../src/kernel/Calendar.ts"
import { CountryCode } from "../../src/kernel/Country.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { type App, useApp } from "../support/App.ts"

export const admin_token = "adm_of-this-test"

type Client = RpcClient.FromGroup<typeof AdministrationRpc, RpcClientError.RpcClientError>

/** Returns a client of the administration of `app`, which connects to it by a real socket. */
export const administrationOf =
  (app: App) =>
  <A, E>(call: (client: Client) => Effect.Effect<A, E>, token = admin_token) => {
    const protocol = RpcClient.layerProtocolHttp({
      url: `${app.url}/rpc/admin`,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
    }).pipe(Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson]))
    return Effect.runPromise(
      Effect.flatMap(RpcClient.make(AdministrationRpc), call).pipe(Effect.scoped, Effect.provide(protocol))
    )
  }

/** Settings with an admin token, without which the service has no route for the administration. */
export const administered = { adminToken: Option.some(Redacted.make(admin_token)) }

export const useAdministration = () => {
  const app = useApp(administered)
  return { app, ask: administrationOf(app) }
}

export const opening = (owner_email: string) => ({
  name: "Bäckerei Süß",
  country: CountryCode.make("DE"),
  currency: CurrencyCode.make("EUR"),
  timezone: TimeZone.make("Europe/Berlin"),
  language: "de",
  owner_email
})
