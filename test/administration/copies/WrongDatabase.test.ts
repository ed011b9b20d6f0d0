import { Effect } from "effect"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { backup, exportOne, hold, idRange, importOne, restore, resume } from "../../../src/Maintenance.ts"
import { useApp } from "../../support/App.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { messageOf, within } from "./Transfers.ts"

const keys = {
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  SIGNING_KEY: Buffer.alloc(32, 9).toString("base64")
}
const app = useApp()
const folder = mkdtempSync(join(tmpdir(), "invoicing-database-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("no command uses the embedded database with the settings of docker compose", async () => {
  const file = join(folder, "file")
  const commands = [
    Effect.asVoid(backup(file, { recipients: [] })),
    Effect.asVoid(restore(file, { identities: [] }, false)),
    Effect.asVoid(exportOne(OrganizationId.make(1), file, { recipients: [] }, false)),
    Effect.asVoid(importOne(file, { identities: [] })),
    Effect.asVoid(idRange(1)),
    Effect.asVoid(hold()),
    Effect.asVoid(resume())
  ]
  const of_compose = { ...keys, POSTGRES_PASSWORD: "secret" }
  for (const command of commands) {
    // An empty DATABASE_URL is a missing one.
    expect(await messageOf(Effect.runPromise(command.pipe(within("", folder, of_compose))))).toBe(
      "POSTGRES_PASSWORD is set, but DATABASE_URL is not. With docker compose, run the command in the container of the " +
        "worker: docker compose exec worker npm run --silent admin -- ..."
    )
  }
  expect(readdirSync(folder)).toEqual([])
})

it("the summary of a command names the database", async () => {
  const source = await app.run(here)
  const { database, host, port } = source
  const inContainer = within(urlOf(source), app.dataDir, { ...keys, POSTGRES_PASSWORD: "secret" })
  const name = `${database} on ${host}:${port}`
  const backingUp = backup(join(folder, "file"), { recipients: [] })
  expect(await Effect.runPromise(backingUp.pipe(inContainer))).toMatchObject({ database: name })
  expect(await Effect.runPromise(resume().pipe(inContainer))).toEqual({
    database: name,
    background_work: "was not held"
  })
})
