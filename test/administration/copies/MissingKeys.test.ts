import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { backup, exportOne, importOne } from "../../../src/Maintenance.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useApp } from "../../support/App.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { messageOf, within } from "./Transfers.ts"

const SECRET_KEY = Buffer.alloc(32, 7).toString("base64")
const SIGNING_KEY = Buffer.alloc(32, 9).toString("base64")
const missing_secret = "SECRET_KEY (or DATA_DIR/secret.key)"
const missing_signing = "SIGNING_KEY (or DATA_DIR/signing.key)"

describe("a copy without the keys of the service", () => {
  const app = useApp()
  const folder = mkdtempSync(join(tmpdir(), "invoicing-keys-"))
  const data = join(folder, "data")
  const exported = join(folder, "exported")
  let url = ""
  let organization = OrganizationId.make(1)
  let trusted = ""

  beforeAll(async () => {
    mkdirSync(data)
    organization = OrganizationId.make((await app.organization()).id)
    url = urlOf(await app.run(here))
    const keys = { SECRET_KEY, SIGNING_KEY }
    const exporting = exportOne(organization, exported, { recipients: [] }, false)
    const written = await Effect.runPromise(exporting.pipe(within(url, app.dataDir, keys)))
    trusted = written.signing_keys.join(",")
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("is refused, and makes no keys and no file", async () => {
    const file = join(folder, "file")
    const refusals = [
      [missing_signing, Effect.asVoid(backup(file, { recipients: [] })), { SECRET_KEY }],
      [missing_secret, Effect.asVoid(exportOne(organization, file, { recipients: [] }, false)), { SIGNING_KEY }],
      [
        `${missing_secret} and ${missing_signing}`,
        Effect.asVoid(importOne(exported, { identities: [] })),
        { TRUSTED_SIGNING_KEYS: trusted }
      ]
    ] as const
    for (const [missing, command, keys] of refusals) {
      assert.strictEqual(
        await messageOf(Effect.runPromise(command.pipe(within(url, data, keys)))),
        `The keys of this installation are missing: ${missing}. Use the settings of the service.`
      )
    }
    assert.deepStrictEqual([readdirSync(data), readdirSync(folder)], [[], ["data", "exported"]])
  })
})
