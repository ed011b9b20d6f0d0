import { Config, Console, Effect, FileSystem, Option, Schema, Stream } from "effect"
import { CliError, CliOutput, Command, Flag, type HelpDoc } from "effect/cli"
import { RpcClientError } from "effect/rpc"
import { per_page_max } from "../../kernel/Envelope.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { fieldErrors } from "../../platform/http/RequestValidation.ts"
import { AdministrationRpc } from "../AdministrationRpc.ts"
import { type AdminClient, connect, demoAddress, unanswered, userError } from "./AdminClient.ts"
import { forPeople } from "./Output.ts"

export const admin = Command.make("admin").pipe(
  Command.withSharedFlags({
    url: Flag.String("url").pipe(
      Flag.withDescription("Address of the server"),
      Flag.withFallbackConfig(Config.String("PUBLIC_URL")),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON instead of text"), Flag.withDefault(false))
  }),
  Command.withDescription(
    "Administer a running server. The admin token is read from ADMIN_TOKEN or, for a demo, from DATA_DIR/demo.json."
  )
)

/** Shows first the mistake, then the help without shared flags, on stderr, because stdout is for results. */
export const ErrorsFirst = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag === "Version") return CliOutput.defaultPresenter.present(event)
    const helpDoc = withRequired(event.helpDoc)
    if (event._tag === "Help") return CliOutput.defaultPresenter.present({ ...event, helpDoc })
    const formatter = CliOutput.defaultFormatter({ colors: false })
    const errors = event.errors.map((error) => suggested(error, helpDoc))
    const brief = { ...helpDoc, globalFlags: [], inheritedFlags: [] }
    return Console.error(`${formatter.formatErrors(errors)}\n\n${formatter.formatHelpDoc(brief)}`)
  }
})

const withRequired = (help: HelpDoc.HelpDoc): HelpDoc.HelpDoc => ({
  ...help,
  flags: help.flags.map((flag) => {
    if (!flag.required) return flag
    const text = Option.match(flag.description, { onNone: () => "Required", onSome: (text) => `${text} (required)` })
    return { ...flag, description: Option.some(text) }
  })
})

/** Suggests the subcommands that begin with the typed word, e.g. `list-organization` for `list`. */
const suggested = (error: CliError.CliError, { subcommands = [] }: HelpDoc.HelpDoc): CliError.CliError => {
  if (error._tag !== "UnknownSubcommand" || error.suggestions.length > 0) return error
  const names = subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
  const suggestions = names.filter((name) => name.startsWith(`${error.subcommand}-`))
  return new CliError.UnknownSubcommand({ subcommand: error.subcommand, parent: error.parent, suggestions })
}

const default_url = "http://localhost:3000"

interface Procedure {
  readonly payloadSchema: Schema.Decoder<unknown>
  readonly successSchema: Schema.Codec<unknown, unknown>
}

type Call = (payload: unknown) => Effect.Effect<unknown, { readonly message: string }>

/** Calls a procedure and prints its answer. If the call fails, one sentence explains the failure. */
export const perform = Effect.fnUntraced(function* (
  tag: Exclude<keyof AdminClient, "ExportRecords">,
  flags: { readonly [key: string]: unknown },
  columns?: ReadonlyArray<string>
) {
  const { json } = yield* admin
  const { client, explained } = yield* connected
  // Boundary: both have the same keys, but their types do not say which schemas belong to which method.
  const [procedure, call] = [AdministrationRpc.requests.get(tag), client[tag]] as unknown as [Procedure, Call]
  const payload = yield* Schema.decodeEffect(procedure.payloadSchema, { errors: "all" })(given(flags)).pipe(
    Effect.mapError(({ issue }) => userError(Object.values(fieldErrors(issue)).flat().join("\n")))
  )
  const answer = yield* Effect.mapError(call(payload), (error) =>
    error instanceof NotFound ? userError(`There is no ${named(given(flags))}.`) : explained(error)
  )
  const encoded = yield* Effect.orDie(Schema.encodeEffect(Schema.toCodecJson(procedure.successSchema))(answer))
  yield* Console.log(json ? JSON.stringify(encoded, undefined, 2) : forPeople(encoded, columns))
}, Effect.scoped)

/** Writes the bytes that a procedure streams into a new file. An incomplete file is deleted. */
export const download = Effect.fnUntraced(function* <E extends { readonly message: string }>(
  call: (client: AdminClient) => Stream.Stream<Uint8Array, E>,
  file: string
) {
  const files = yield* FileSystem.FileSystem
  const { client, explained } = yield* connected
  if (yield* files.exists(file)) return yield* userError(`The file ${file} exists.`)
  yield* Stream.run(call(client), files.sink(file)).pipe(
    Effect.mapError(explained),
    Effect.onError(() => Effect.ignore(files.remove(file)))
  )
}, Effect.scoped)

/** Connects to the service. `explained` turns an error of a call into a message for the user. */
const connected = Effect.gen(function* () {
  const { url: given_url } = yield* admin
  const url = Option.getOrElse(given_url, () => undefined) ?? (yield* demoAddress) ?? default_url
  const explained = (error: { readonly message: string }) =>
    error instanceof RpcClientError.RpcClientError ? unanswered(url, error) : userError(error.message)
  return { client: yield* connect(url), explained }
})

/** Describes the records that the flags of a command name, such as "organization 7 with tax rate 3". */
const named = (payload: { readonly [key: string]: unknown }) => {
  const records = Object.entries(payload).flatMap(([key, value]) => {
    const record = key === "email" ? "user" : /^(.*)_ids?$/.exec(key)?.[1]
    return record === undefined ? [] : [`${record.replaceAll("_", " ")} ${String(value)}`]
  })
  return records.length > 0 ? records.join(" with ") : "such record"
}

const given = (flags: { readonly [key: string]: unknown }) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([key, value]) => {
      if (!Option.isOption(value)) return [[key, value]]
      return Option.isSome(value) ? [[key, value.value]] : []
    })
  )

export const paging = {
  page: Flag.Int("page").pipe(Flag.optional),
  per_page: Flag.Int("per-page").pipe(Flag.withDescription(`At most ${per_page_max}`), Flag.optional)
}

export const organization_id = Flag.Int("organization").pipe(
  Flag.withDescription("Id of the organization"),
  Flag.withSchema(OrganizationId)
)
