import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import type { App } from "../support/App.ts"
import type { Books } from "../support/Billing.ts"

const our_iban = "BE68539007547034"

interface AccountOptions {
  readonly name?: string
  readonly iban?: string | null
  readonly currency?: string
  readonly status?: string
  readonly provider_balance?: string
}

/** Opens a bank account directly, because no endpoint creates one. */
export const openAccount = (app: App, organization_id: number, options: AccountOptions = {}): Promise<number> =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const {
        currency = "EUR",
        iban = our_iban,
        name = "Current",
        provider_balance = null,
        status = "active"
      } = options
      const at = provider_balance === null ? null : "2026-01-31T23:00:00Z"
      const [row] = yield* sql<{ id: number }>`
        insert into bank_accounts (organization_id, name, iban, currency, status, provider_balance, provider_balance_at)
        values (${organization_id}, ${name}, ${iban}, ${currency}, ${status}, ${provider_balance}::numeric,
          ${at}::timestamptz)
        returning id`
      return row?.id ?? 0
    }).pipe(Effect.orDie)
  )

export const importer =
  (app: Pick<App, "url">, books: Books) =>
  async (
    account: number,
    content: string | File | undefined,
    fields: Readonly<Record<string, string>> = {},
    token = books.owner.token,
    headers: Readonly<Record<string, string>> = {}
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set("note", "for the accountant")
    if (content !== undefined) form.set("file", content instanceof File ? content : new File([content], "jan.txt"))
    const response = await fetch(`${app.url}/api/v1/bank-accounts/${account}/import-statement`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "x-organization-id": String(books.id), ...headers },
      body: form,
      signal: AbortSignal.timeout(answer_ms_max)
    })
    // oxlint-disable-next-line no-explicit-any -- tests read the fields of any answer
    const body: any = await response.json()
    return { status: response.status, body, data: body.data }
  }

/** Time limit of an answer. It is long, because the machine may run other tests at the same time. */
const answer_ms_max = 120_000

const query = <A extends object>(
  app: App,
  ask: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>
) => app.run(Effect.flatMap(SqlClient.SqlClient, ask).pipe(Effect.orDie))

/**
 * Runs `during` in a transaction after the first statement, which takes a lock. Then the transaction takes the locks of
 * the other statements.
 */
export const whileHeld = (app: App, [first = "", ...others]: ReadonlyArray<string>, during: () => Promise<unknown>) =>
  query(app, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe(first)
        yield* Effect.promise(during)
        for (const statement of others) yield* sql.unsafe(statement)
        return []
      })
    )
  )

/**
 * Waits until as many queries that contain this text wait for a lock, and returns the id of the PostgreSQL process of
 * one of them.
 */
export const waitingFor = async (app: App, about: string, queries_min = 1): Promise<number> => {
  const deadline = Date.now() + wait_ms_max
  while (Date.now() < deadline) {
    const waiting = await query(
      app,
      (sql) => sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${about}%`}`
    )
    const [found] = waiting
    if (found !== undefined && waiting.length >= queries_min) return found.pid
    await sleep(20)
  }
  throw new Error(`No statement about ${about} waits.`)
}
const wait_ms_max = 60_000

let imported = 0

export const newLine = async (app: App, books: Books, account: number, amount: string, text = "", name = "") => {
  const today = new Date().toISOString().slice(0, 10)
  const { data, status } = await importer(app, books)(
    account,
    table([today, amount, name, `${text} line ${++imported}`])
  )
  if (status !== 201 || data.imported !== 1) throw new Error(`The line is not imported: ${JSON.stringify(data)}`)
  const [line] = await books.made("GET", "/bank-transactions?per_page=1")
  return line.id as number
}

export const table = (
  ...rows: ReadonlyArray<readonly [day: string, amount: string, name?: string, text?: string]>
): string =>
  [
    "Date;Amount;Name;Description",
    ...rows.map(([day, amount, name = "", text = ""]) => [day, amount, name, text].join(";"))
  ].join("\n")
