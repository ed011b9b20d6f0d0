import { generateKeyPairSync, sign } from "node:crypto"
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { canonicalJson } from "../../../src/platform/events/CanonicalJson.ts"
import { unzipped } from "../../support/files/ZipReader.ts"
import { exportFolder, operator, rawKey } from "./ExportFolder.ts"
import { useExports } from "./Exporting.ts"

const { app, build, buildRotated, collect, filled, ordered, prove, transmissions } = useExports()

let entries: ReadonlyMap<string, Buffer> = new Map()
let folder = ""
const { changeJson, edit, path, rehash, remove, restate, unpack, verified, write } = exportFolder()
const text = (name: string) => readFileSync(path(name), "utf8")

beforeAll(async () => {
  const ours = await filled(2)
  const [invoice] = await ours.made("GET", "/invoices")
  const payment = { invoice_id: invoice.id, amount: 21, payment_date: "2026-03-02", payment_method: "cash" }
  const { id } = await ours.made("POST", "/payments", payment)
  await ours.made("POST", `/payments/${id}/refund`, { amount: 1 })
  const network = { network: "peppol", environment: "sandbox" } as const
  const exchange = { ...network, type: "invoice_response", code: "AB", reference: null, number: null }
  await transmissions((archive) =>
    archive.record({
      ...exchange,
      organization_id: OrganizationId.make(ours.id),
      id: "msg-1",
      at: Timestamp.make("2026-03-01T10:00:00.000Z"),
      direction: "inbound",
      document_type: null,
      document_id: null,
      object_id: null
    })
  )
  await prove(ours)
  await ours.made("POST", "/customers", { name: "Gamma" })
  await prove(ours)
  const expense = { expense_date: "2026-03-02", category: "travel", amount: 9, currency: "EUR" }
  await ours.made("POST", "/expenses", { ...expense, description: "Taxi\u2028and\u2029train" })
  const order = await ordered(ours)
  await build(ours, order)
  entries = await unzipped((await collect(ours, order)).bytes)
  expect(app.url).toContain("http")
})

beforeEach(() => {
  folder = unpack(entries)
})
afterEach(remove)

const objectFile = () => {
  const names = readdirSync(path("objects"), { recursive: true }).map(String)
  const found = names.find((name) => statSync(path(`objects/${name}`)).isFile())
  return `objects/${(found ?? "").replaceAll("\\", "/")}`
}

const other = generateKeyPairSync("ed25519").privateKey

describe("the verifier of an export", () => {
  it("says that all is well, what it has counted, and what it did not check", async () => {
    const { code, output } = await verified("--key", rawKey(operator))
    expect(output).toMatch(
      /^VALID: 2 objects, \d+ entries of the audit chain, 2 checkpoints and 4 sealed records are what/
    )
    expect(output).toContain("Not checked:")
    expect(output).toContain("- whose key it is")
    expect(output).toContain("- former seals of records that were lawfully changed later: 1")
    expect(output).toContain("no authority has stamped them")
    expect(code).toBe(0)
  })

  const damages: ReadonlyArray<readonly [string, () => void, RegExp]> = [
    [
      "a flipped bit in an object",
      () => {
        const bytes = readFileSync(path(objectFile()))
        bytes[50] = (bytes[50] ?? 0) ^ 1
        write(objectFile(), bytes)
      },
      /objects\/\S+ is not what was archived\./
    ],
    [
      "a truncated object",
      () => write(objectFile(), readFileSync(path(objectFile())).subarray(0, 99)),
      /objects\/\S+ is not what was archived\./
    ],
    ["a removed object", () => rmSync(path(objectFile())), /objects\/\S+ is missing\./],
    ["an object that was slipped in", () => write("objects/extra", "x"), /objects\/extra is not in the manifest\./],
    ["no manifest", () => rmSync(path("manifest.json")), /manifest\.json is missing\./],
    ["no checkpoints", () => rmSync(path("checkpoints.json")), /checkpoints\.json is missing\./],
    ["no seals", () => rmSync(path("seals.json")), /seals\.json is missing\./],
    [
      "another amount in the manifest's CSV",
      () => edit("manifest.csv", "121.00", "12.00"),
      /manifest\.csv is not the file that was exported\./
    ],
    [
      "a truncated chain file",
      () => write("audit-trail.json", text("audit-trail.json").slice(0, -20)),
      /audit-trail\.json cannot be read\./
    ],
    [
      "an edited entry",
      () => edit("audit-trail.json", "invoice.created", "invoice.updated"),
      /Entry \d+ of the audit chain is not what was hashed\./
    ],
    [
      "a removed entry",
      () => changeJson("audit-trail.json", ({ trail }) => trail.splice(2, 1)),
      /Entry 3 of the audit chain is missing\./
    ],
    [
      "another counterparty, restated",
      () => {
        changeJson("manifest.json", ({ objects }) => {
          objects[0].counterparty_name = "X"
        })
        restate(operator)
      },
      /The audit chain does not know object \S+ as the manifest tells it\./
    ],
    [
      "another total in the facts, restated",
      () => {
        edit("seals.json", '\\"total\\":\\"121\\"', '\\"total\\":\\"99\\"')
        restate(operator)
      },
      /Invoice \d+ is not what was sealed\./
    ],
    [
      "a record without its facts, restated",
      () => {
        changeJson("seals.json", ({ records }) => records.pop())
        restate(operator)
      },
      /Expense \d+ was sealed and is missing\./
    ],
    [
      "facts of a record that never was, restated",
      () => {
        changeJson("seals.json", ({ records }) => records.push({ ...records[0], id: 999 }))
        restate(operator)
      },
      /Invoice 999 was never sealed\./
    ],
    [
      "a chain that was rewritten as a whole, restated",
      () => {
        rehash((trail) => {
          trail[0].canonical = trail[0].canonical.replace("customer.created", "customer.updated")
          trail[0].action = JSON.parse(trail[0].canonical).action
        })
        restate(operator)
      },
      /The audit chain is not the one of checkpoint 1\./
    ],
    [
      "a chain without its tail, restated with another key",
      () => {
        rehash((trail) => trail.splice(-1))
        restate(other)
      },
      /The export is signed by another key than its last checkpoint\./
    ],
    [
      "a chain without its tail",
      () => rehash((trail) => trail.splice(-1)),
      /The audit chain does not end where the export says\./
    ],
    [
      "a checkpoint left out",
      () => changeJson("checkpoints.json", ({ checkpoints }) => checkpoints.pop()),
      /Checkpoint 2, which the audit chain names, is missing\./
    ],
    [
      "a first checkpoint left out",
      () => changeJson("checkpoints.json", ({ checkpoints }) => checkpoints.shift()),
      /Checkpoint 1 is missing\./
    ],
    [
      "an edited checkpoint",
      () =>
        changeJson("checkpoints.json", ({ checkpoints }) => {
          checkpoints[0].at = "2020-01-01T00:00:00.000Z"
        }),
      /Checkpoint 1 is not signed by its key\./
    ],
    [
      "a checkpoint without a signature",
      () => changeJson("checkpoints.json", ({ checkpoints }) => delete checkpoints[0].signature),
      /Checkpoint 1 is not signed by its key\./
    ],
    [
      "a checkpoint signed by another key",
      () =>
        changeJson("checkpoints.json", ({ checkpoints }) => {
          const { signature: _, timestamp_token, ...statement } = { ...checkpoints[1], public_key: rawKey(other) }
          const signature = sign(null, Buffer.from(canonicalJson(statement)), other).toString("base64")
          checkpoints[1] = { ...statement, signature, timestamp_token }
        }),
      /Checkpoint 2 is not the one that the audit chain names\./
    ],
    [
      "an edited statement",
      () =>
        changeJson("checkpoints.json", ({ statement }) => {
          statement.entries += 1
        }),
      /The statement about the export is not signed by the key that it names\./
    ],
    [
      "an edited exchange, restated",
      () => {
        changeJson("transmissions.json", (content) => {
          content.transmissions[0].code = "RE"
        })
        restate(operator)
      },
      /The audit chain does not know exchange msg-1 as it is told\./
    ],
    [
      "an exchange of the sandbox that is called real, restated",
      () => {
        changeJson("transmissions.json", (content) => {
          content.transmissions[0].environment = "production"
        })
        restate(operator)
      },
      /The audit chain does not know exchange msg-1 as it is told\./
    ],
    [
      "a removed exchange, restated",
      () => {
        changeJson("transmissions.json", (content) => content.transmissions.pop())
        restate(operator)
      },
      /Exchange msg-1 is missing\./
    ]
  ]

  it.each(damages)("convicts %s", async (_name, damage, sentence) => {
    damage()
    const { code, output } = await verified()
    expect(output).toMatch(sentence)
    expect(output).not.toContain("VALID: 2")
    expect(code).toBe(1)
  })

  it("detects an export that was completely signed again, if it knows the operator's key", async () => {
    restate(other)
    const { code, output } = await verified("--key", rawKey(operator))
    expect(output).toContain("The export is signed by another key than the one that you gave.")
    expect(code).toBe(1)
  })

  it("acquits an export after a rotation of SIGNING_KEY, before the next proof is due", async () => {
    const ours = await filled(1)
    await prove(ours)
    const order = await ordered(ours)
    await buildRotated(ours, order)
    remove()
    folder = unpack(await unzipped((await collect(ours, order)).bytes))
    const { code, output } = await verified()
    expect(output).toMatch(/^VALID/)
    expect(code).toBe(0)
    const keys = JSON.parse(text("checkpoints.json")).checkpoints.map((kept: { public_key: string }) => kept.public_key)
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toBe(rawKey(operator))
  })

  it("reads texts with the line separators of Unicode, which JSON does not escape", async () => {
    expect(text("seals.json")).toContain("Taxi\u2028and\u2029train")
    expect((await verified()).code).toBe(0)
  })

  it("counts the expenses of a former version, which did not seal them", async () => {
    rehash((trail) => {
      const entry = trail.find(({ action }: { action: string }) => action === "expense.created")
      const told = JSON.parse(entry.canonical)
      delete told.data.sha256
      entry.canonical = canonicalJson(told)
    })
    restate(operator)
    const { code, output } = await verified()
    expect(output).toContain("- 1 expenses of a former version of the service, which did not seal them")
    expect(code).toBe(0)
  })

  it("exits with 2 if there is no export", async () => {
    for (const name of readdirSync(folder)) if (name !== "verify.mjs") rmSync(path(name), { recursive: true })
    expect((await verified()).code).toBe(2)
  })
})
