import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { Client } from "pg"

const silent = Layer.succeed(Console.Console, { ...globalThis.console, error: () => undefined })

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
