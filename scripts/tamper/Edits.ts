import { archiveEdits } from "./ArchiveEdits.ts"
import { booksEdits } from "./BooksEdits.ts"
import { type Edit, one } from "./Edit.ts"

const bookkeeping = [
  one("vaults.objects", "update vaults set objects = 0 where organization_id = $org"),
  one("vaults.bytes", "update vaults set bytes = bytes + 1 where organization_id = $org"),
  one("a vault that is removed", "delete from vaults where organization_id = $org"),
  one(
    "a proof that did not pass",
    `update archive_proofs set record = replace(record, '"passed"', '"failed"') where organization_id = $org`
  ),
  one(
    "a proof of the future",
    "update archive_proofs set record = regexp_replace(record, '20\\d\\d-', '2999-', 'g') where organization_id = $org"
  )
]

const chain: ReadonlyArray<Edit> = [
  one(
    "an entry that is edited",
    `update audit_entries set canonical = canonical || ' ' where organization_id = $org and seq = 3`
  ),
  one(
    "an entry with another hash",
    "update audit_entries set hash = repeat('a', 64) where organization_id = $org and seq = 3"
  ),
  one("an entry that is removed", "delete from audit_entries where organization_id = $org and seq = 3"),
  one("a chain without its tail", "delete from audit_entries where organization_id = $org and seq > 4"),
  one("a chain that is gone", "delete from audit_entries where organization_id = $org"),
  one("a journal that is gone", "delete from journals where organization_id = $org"),
  one(
    "a chain and a journal that are gone",
    "delete from audit_entries where organization_id = $org",
    "delete from journals where organization_id = $org"
  ),
  one("journals.entries", "update journals set entries = entries - 1 where organization_id = $org"),
  one("journals.head", "update journals set head = repeat('b', 64) where organization_id = $org"),
  {
    name: "a chain of other words, hashed anew",
    entries: (all) => all.map((text) => text.replace("customer.created", "customer.updated"))
  },
  {
    name: "a chain of other times, hashed anew",
    entries: (all) => all.map((text) => text.replace(/"at":"20\d\d/, '"at":"2020'))
  },
  { name: "a chain without an entry, hashed anew", entries: (all) => all.filter((_, index) => index !== 1) },
  { name: "a chain with two entries swapped, hashed anew", entries: ([a = "", b = "", ...rest]) => [b, a, ...rest] },
  { name: "a chain without its last ten entries, hashed anew", entries: (all) => all.slice(0, -10) },
  {
    name: "a chain with another actor, hashed anew",
    entries: (all) => all.map((text) => text.replace(/"actor":"user:\d+"/, '"actor":"admin"'))
  }
]

const disk: ReadonlyArray<Edit> = [
  ...(["flip", "cut", "empty", "remove"] as const).flatMap((does) =>
    [0, 1].map((at) => ({ name: `object ${at + 1}: ${does}`, files: { area: "archive", at, does } }) as const)
  ),
  ...[2, 3, 4, 5, 6, 7, 8].map(
    (at) => ({ name: `object ${at + 1}: flip`, files: { area: "archive", at, does: "flip" } }) as const
  ),
  { name: "objects: swap", files: { area: "archive", does: "swap" } },
  ...(["flip", "cut", "empty", "remove"] as const).flatMap((does) =>
    [0, 1].map((at) => ({ name: `checkpoint ${at + 1}: ${does}`, files: { area: "checkpoints", at, does } }) as const)
  ),
  { name: "checkpoints: swap", files: { area: "checkpoints", does: "swap" } },
  { name: "checkpoints: all removed", files: { area: "checkpoints", does: "removeAll" } },
  { name: "checkpoints: signed by another key", files: { area: "checkpoints", does: "forge", signs: "another key" } },
  { name: "checkpoints: not signed", files: { area: "checkpoints", does: "forge", signs: "no key" } }
]

const raised = "update invoices set total = total + 1000 where organization_id = $org and id = $invoice"

/** Edits of several places at the same time, so that these places agree with each other. */
const combined: ReadonlyArray<Edit> = [
  { name: "a total with its chain", statements: [raised], reseals: true },
  {
    name: "a total with its chain and no checkpoints",
    statements: [raised],
    reseals: true,
    files: { area: "checkpoints", does: "removeAll" }
  },
  {
    name: "a total with its chain and forged checkpoints",
    statements: [raised],
    reseals: true,
    files: { area: "checkpoints", does: "forge", signs: "another key" }
  },
  {
    name: "a total with its chain and unsigned checkpoints",
    statements: [raised],
    reseals: true,
    files: { area: "checkpoints", does: "forge", signs: "no key" }
  },
  {
    name: "a total with its reports",
    statements: [
      raised,
      "update sales_entries set net = net + 1000, taxable = taxable + 1000 where organization_id = $org and document_id = $invoice"
    ]
  },
  {
    name: "a total, its lines and its taxes",
    statements: [
      `update invoices set subtotal = subtotal * 2, tax_total = tax_total * 2, total = total * 2 where organization_id = $org and id = $invoice`
    ]
  },
  {
    name: "an invoice with all that belongs to it",
    statements: [
      "payment_refunds where payment_id = $payment",
      "payments where id = $payment",
      "invoices where id = $invoice",
      "sales_entries where document_id = $invoice",
      "document_correspondents where document_id = $invoice"
    ].map((rows) => `delete from ${rows} and organization_id = $org`)
  },
  {
    name: "a payment with the sums of its invoice",
    statements: [
      "update payments set amount = amount + 1 where organization_id = $org and id = $payment",
      "update invoices set amount_paid = amount_paid + 1 where organization_id = $org and id = $invoice"
    ]
  },
  {
    name: "a payment with the sums of its invoice and its chain",
    statements: [
      "update payments set amount = amount + 1 where organization_id = $org and id = $payment",
      "update invoices set amount_paid = amount_paid + 1 where organization_id = $org and id = $invoice"
    ],
    reseals: true
  },
  {
    name: "an object in the manifest and on the disk",
    statements: ["update archive_objects set sha256 = repeat('0', 64) where organization_id = $org and position = 1"],
    files: { area: "archive", at: 0, does: "flip" }
  },
  {
    name: "bytes, and bookkeeping that says they were read",
    statements: [
      "update archive_proofs set record = replace(record, '\"read_until\":', '\"read_until\":9') where organization_id = $org"
    ],
    files: { area: "archive", at: 0, does: "flip" }
  },
  {
    name: "a vault and its counts",
    statements: [
      "delete from archive_objects where organization_id = $org and position = 2",
      "update vaults set objects = 1 where organization_id = $org"
    ]
  },
  {
    name: "a counter with a hole in the numbers",
    statements: [
      "update document_counters set next = next + 3 where organization_id = $org",
      "delete from archive_proofs where organization_id = $org"
    ]
  }
]

const cutCheckpoints = (entries: ReadonlyArray<string>) =>
  entries.filter((text) => !text.startsWith('{"action":"archive.checkpoint"'))

/**
 * Only a third party can detect these edits, by an event, export or time stamp that it got before them. Object Lock of
 * the storage prevents some of them.
 */
const unseen: ReadonlyArray<Edit> = [
  {
    name: "everything, by an operator with the signing key",
    statements: [raised],
    reseals: true,
    files: { area: "checkpoints", does: "forge", signs: "the signing key" },
    unseen: "whoever has the signing key signs whatever they like"
  },
  {
    name: "everything, with every trace of the checkpoints removed",
    statements: [raised, "delete from archive_proofs where organization_id = $org"],
    reseals: true,
    entries: cutCheckpoints,
    files: { area: "checkpoints", does: "removeAll" },
    unseen: "database and storage look like those of an organization that had no checkpoint yet"
  }
]

export const edits: ReadonlyArray<Edit> = [
  ...booksEdits,
  ...archiveEdits,
  ...bookkeeping,
  ...chain,
  ...disk,
  ...combined,
  ...unseen
]
