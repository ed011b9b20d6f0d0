import { change, type Edit, one } from "./Edit.ts"
import { exchanged_kinds } from "./FillArchive.ts"

const manifest = [
  ...change("archive_objects", "position = 1", {
    number: "'INV-1'",
    counterparty_name: "'X'",
    issue_date: "issue_date - 1",
    amount: "amount + 0.01",
    environment: "'sandbox'",
    sha256: "repeat('0', 64)",
    size_bytes: "size_bytes + 1",
    content_type: "'text/plain'",
    object_key: "'archive/9/aa/bb'",
    object_kind: "'evidence'",
    direction: "'inbound'",
    document_id: "document_id + 1",
    archived_at: "archived_at - interval '1 year'"
  }),
  one("an object that is removed", "delete from archive_objects where organization_id = $org and position = 1"),
  ...change("archive_transmissions", "true", {
    code: "'RE'",
    network: "'x'",
    environment: "'production'",
    type: "'x'",
    at: "at - interval '1 day'"
  }),
  one("an exchange that is removed", "delete from archive_transmissions where organization_id = $org")
]

/** Edits of each kind of object that the exchange of an e-invoice leaves in the archive. */
const kinds = exchanged_kinds.flatMap((kind) => {
  const own = `organization_id = $org and object_kind = '${kind}'`
  return [
    one(`${kind}: removed`, `delete from archive_objects where ${own}`),
    one(`${kind}: said to be of a real network`, `update archive_objects set environment = 'production' where ${own}`),
    one(`${kind}: said to be of no network`, `update archive_objects set environment = null where ${own}`),
    one(`${kind}: said to be a PDF`, `update archive_objects set object_kind = 'pdf' where ${own}`),
    one(`${kind}: of another invoice`, `update archive_objects set document_id = document_id + 1 where ${own}`),
    one(
      `${kind}: removed, with the counts of the vault`,
      `update vaults set objects = objects - 1, bytes = bytes - (select sum(size_bytes) from archive_objects where ${own})
       where organization_id = $org`,
      `delete from archive_objects where ${own}`
    )
  ]
})

const real = (entries: ReadonlyArray<string>) =>
  entries.map((text) => text.replace('"environment":"sandbox"', '"environment":"production"'))

/** Edits that change archive rows and the audit chain consistently, and compute all hashes again. */
const relabelled: ReadonlyArray<Edit> = [
  {
    name: "objects of the sandbox that rows and chain call real",
    statements: [
      "update archive_objects set environment = 'production' where organization_id = $org and environment = 'sandbox'"
    ],
    entries: real
  },
  {
    name: "exchanges of the sandbox that rows and chain call real, with forged checkpoints",
    statements: ["update archive_transmissions set environment = 'production' where organization_id = $org"],
    entries: real,
    files: { area: "checkpoints", does: "forge", signs: "another key" }
  },
  {
    name: "evidence that rows, counts and chain have forgotten",
    statements: [
      `update vaults set objects = objects - 1, bytes = bytes - (select sum(size_bytes) from archive_objects
         where organization_id = $org and object_kind = 'evidence') where organization_id = $org`,
      "delete from archive_objects where organization_id = $org and object_kind = 'evidence'"
    ],
    entries: (all) => all.filter((text) => !text.includes('"object_kind":"evidence"'))
  }
]

export const archiveEdits: ReadonlyArray<Edit> = [...manifest, ...kinds, ...relabelled]
