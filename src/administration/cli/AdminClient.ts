import { Config, Console, Effect, Option, Redacted } from "effect"
import { CliError } from "effect/cli"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { RpcClient, type RpcClientError } from "effect/rpc"
import { demoFile, readDemoFacts } from "../../demo/DemoFacts.ts"
import { AdministrationRpc } from "../AdministrationRpc.ts"

export type AdminClient = RpcClient.FromGroup<typeof AdministrationRpc, RpcClientError.RpcClientError>

/** An error whose message is shown to the user, without its cause. */
export const userError = (userMessage: string) => new CliError.UserError({ cause: userMessage, userMessage })

export const connect = Effect.fnUntraced(function* (url: string) {
  const token = yield* adminToken
  const address = `${url.replace(/\/$/, "")}/rpc/admin`
  const http = yield* HttpClient.HttpClient
  const protocol = yield* RpcClient.makeProtocolHttp(
    http.pipe(
      HttpClient.mapRequest((request) =>
        HttpClientRequest.bearerToken(HttpClientRequest.prependUrl(request, address), token)
      ),
      HttpClient.filterStatusOk
    )
  )
  return yield* RpcClient.make(AdministrationRpc).pipe(Effect.provideService(RpcClient.Protocol, protocol))
})

const dataDir = Config.String("DATA_DIR").pipe(Config.withDefault("./data"))

/** URL of the demo, which may use another port than 3000; undefined without a demo. */
export const demoAddress = Effect.gen(function* () {
  const facts = yield* readDemoFacts(yield* dataDir)
  return Option.getOrUndefined(facts)?.base_url
}).pipe(Effect.catchTag("ConfigError", (error) => Effect.fail(userError(error.message))))

const adminToken = Effect.gen(function* () {
  const configured = yield* Config.option(Config.Redacted("ADMIN_TOKEN"))
  if (Option.isSome(configured)) return configured.value
  const file = yield* demoFile(yield* dataDir)
  const facts = yield* readDemoFacts(yield* dataDir)
  if (Option.isNone(facts))
    return yield* userError(`Set ADMIN_TOKEN to the server's token. There is no demo token in ${file}, either.`)
  yield* Console.error(`The admin token is the demo's, from ${file}.`)
  return Redacted.make(facts.value.admin_token)
}).pipe(Effect.catchTag("ConfigError", (error) => Effect.fail(userError(error.message))))

/** Explains why the server did not answer a call; the message contains the URL. */
export const unanswered = (url: string, { reason }: RpcClientError.RpcClientError) => {
  if (reason._tag !== "HttpError")
    return userError(`The answer of ${url} does not come from the administration of a service.`)
  switch (reason.kind) {
    case "StatusCodeError":
      return isUnavailable(reason.cause)
        ? userError(`${url} is unavailable now. Try again in a minute.`)
        : userError(`${url} has no administration: its ADMIN_TOKEN is not set, or it is another service.`)
    case "InvalidUrlError":
      return userError(`${url} is not the address of a server.`)
    default:
      return userError(`${url} cannot be reached. Is the server running?`)
  }
}

/** A proxy answers 502 to 504 while no process of the service answers it, and a process 503 while it has no database. */
const unavailable_statuses = [502, 503, 504]

const isUnavailable = (cause: unknown) =>
  cause instanceof HttpClientError.StatusCodeError && unavailable_statuses.includes(cause.response.status)
