import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { inject } from "vitest"
import { urlOf } from "../../support/service/Service.ts"

export const silent = Layer.succeed(Console.Console, { ...globalThis.console, error: () => undefined })

export const urlIn = (database: string) => {
  const server = inject("postgres")
  return urlOf({ ...server, database, password: Redacted.make(server.password) })
}

export const ask = async (connectionString: string, statement: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

export const messageOf = (refused: Promise<unknown>) =>
  refused.then(
    () => "not refused",
    (error: Error) => error.message
  )

/** Runs a command with the settings of an installation (its database and its data folder), without any output. */
export const within = (url: string, data: string, changes: Record<string, string>) =>
  Effect.provide([
    ConfigProvider.layer(
      ConfigProvider.fromEnv({ env: { DATABASE_URL: url, DATA_DIR: data, SEED_DEMO: "false", ...changes } })
    ),
    NodeServices.layer,
    silent
  ])

/** Endpoints whose answers differ after the organization has moved, each with the reason. */
export const differing: Readonly<Record<string, string>> = {
  "members.list": "Accounts have the ids of this installation.",
  "webhooks.get": "The account that created a webhook has an id of this installation.",
  "webhooks.list": "The account that created a webhook has an id of this installation.",
  "archive.state": "The import proved the archive again.",
  "customerNetwork.validate": "Asks the network, and answers the time.",
  "events.list": "The proof of the import wrote a checkpoint, which is an event."
}

/** Masks cursors, because each installation seals them with its own key. */
export const said = (text: string) => text.replaceAll(/v1\.[0-9a-f]{12}\.[\w-]+/g, "<cursor>")

export const differenceOf = (there: string, here: string) => {
  const at = there.split("").findIndex((character, index) => character !== here[index])
  return `${there.slice(at - 40, at + 40)} | ${here.slice(at - 40, at + 40)}`
}
