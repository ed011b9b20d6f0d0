import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Parts } from "../App.ts"
import { type Books, useBilling } from "../Billing.ts"
import { receiver, until } from "./Receiver.ts"

/** Runs the service with its workers, and a receiver that it may call. */
export const useHooks = async (timeScale = 1, parts?: Parts) => {
  const receiving = await receiver()
  const { app, open } = useBilling({ role: "all", ...receiving.settings(timeScale) }, parts)

  return {
    app,
    open,
    receiving,
    /** Creates a webhook of the organization for a path of the receiver, subscribed to every event. */
    hook: (books: Books, path: string, changes: object = {}) =>
      books.made("POST", "/webhooks", { url: receiving.url(path), events: ["*"], ...changes }),
    arrived: (path: string, count: number) =>
      until(`${count} messages at ${path}`, () => {
        const messages = receiving.at(path)
        return messages.length >= count ? messages : undefined
      }),
    sql: <A extends object>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
      app.run(Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.orDie))
  }
}

export const customer = async (books: Books): Promise<number> =>
  (await books.made("POST", "/customers", { name: "New" })).id

/** Waits until the log of a webhook has this many entries, and returns them, the oldest first. */
export const log = (books: Books, id: number, entries: number) =>
  until(`${entries} log entries`, async () => {
    const { data } = (await books.call("GET", `/webhooks/${id}/logs?per_page=100`)).body
    return data.length >= entries ? data.toReversed() : undefined
  })
