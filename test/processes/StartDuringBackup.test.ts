import { Client } from "pg"
import { expect, it, onTestFinished } from "vitest"
import { useApp } from "../support/App.ts"
import { here, startService, urlOf } from "../support/service/Service.ts"

const app = useApp()

const all_tables = `
  select string_agg(quote_ident(relname), ', ') as names from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'`

it("a process starts while a backup or pg_dump reads all tables", async () => {
  const connection = await app.run(here)
  const client = new Client({ connectionString: urlOf(connection) })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(all_tables)
  expect(rows[0].names).toContain("jobs_migrations")
  await client.query("begin isolation level repeatable read, read only")
  await client.query(`lock table ${rows[0].names} in access share mode`)
  const service = await startService(connection)
  onTestFinished(async () => {
    service.kill("SIGTERM")
    await service.ended
  })
  await service.listening
  // Fails if the transaction, and with it the locks, had ended before the start.
  await client.query("commit")
}, 200_000)
