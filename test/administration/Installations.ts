import { Client } from "pg"

/** Runs a statement in the database of an installation, and returns its rows. */
export const ask = async (connectionString: string, statement: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

/** Returns the message of the error with which a promise fails. */
export const messageOf = (refused: Promise<unknown>) =>
  refused.then(
    () => "not refused",
    (error: Error) => error.message
  )
