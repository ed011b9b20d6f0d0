import type { Slot } from "./Values.ts"

type Fact = Readonly<Record<string, unknown>>

const facts_max = 300
/** Number of records that a collection keeps after deletions, so that requests can always contain the id of one. */
const facts_min = 5

/** For the last segment of a path such as `/customers/3/invoices`, the collection of the records that it returns. */
const nested: Readonly<Record<string, string>> = {
  attachments: "attachments",
  users: "users",
  invoices: "invoices",
  quotes: "quotes",
  "convert-to-invoice": "invoices",
  match: "matches",
  "create-document": "matches"
}
/** If a path contains one of these segments, the ids in its response are not ids of records that other paths accept. */
const apart = new Set(["logs", "statement", "statistics", "summary", "invite", "rotate-secret", "import-statement"])
const without_records = new Set(["batch", "events", "user"])

/** First segments of paths such as `/archive/exports`, whose second segment is the name of the collection. */
const contexts = new Set(["archive", "einvoicing"])

/** The `invoices` of `/einvoicing/invoices` are another collection than those of `/invoices`. */
export const collectionNamed = (segment: string, before: string | undefined): string =>
  before !== undefined && contexts.has(before) ? `${before}/${segment}` : segment

/** Returns the collection of the records that a request to the path returns. */
const collectionOf = (path: string): string | undefined => {
  const [first = "", ...rest] = path.split("/").slice(3)
  const words = rest.filter((part) => /^[a-z]+(-[a-z]+)*$/.test(part))
  if (without_records.has(first) || words.some((word) => apart.has(word))) return undefined
  if (contexts.has(first)) return collectionNamed(words[0] ?? "", first)
  return nested[words[0] ?? ""] ?? first
}

/** The records in earlier responses, by collection: those of the fuzzed organization, and those of any other. */
export class Harvest {
  readonly #own = new Map<string, Array<Fact>>()
  readonly #foreign = new Map<string, Array<Fact>>()

  add(collection: string, fact: Fact, foreign = false) {
    const pools = foreign ? this.#foreign : this.#own
    const known = (pools.get(collection) ?? []).filter(
      (other) => fact["id"] === undefined || other["id"] !== fact["id"]
    )
    known.push(fact)
    if (known.length > facts_max) known.shift()
    pools.set(collection, known)
  }

  /** Remembers all records in a response, including those of which it contains only the id, such as `customer_id`. */
  read(path: string, data: unknown, foreign = false) {
    this.#read(collectionOf(path), data, foreign)
  }

  #read(collection: string | undefined, value: unknown, foreign: boolean): void {
    if (Array.isArray(value)) for (const element of value) this.#read(collection, element, foreign)
    else if (typeof value === "object" && value !== null) this.#readRecord(collection, { ...value }, foreign)
  }

  #readRecord(collection: string | undefined, record: Fact, foreign: boolean) {
    const hasId = typeof record["id"] === "number" || typeof record["id"] === "string"
    if (hasId && collection !== undefined) this.add(collection, record, foreign)
    if (typeof record["receipt_ref"] === "string") this.add("receipts", record, foreign)
    for (const [key, field] of Object.entries(record)) {
      const named = /^(\w+?)_id$/.exec(key)?.[1]
      if (named !== undefined && typeof field === "number") this.#name(`${named.replaceAll("_", "-")}s`, field, foreign)
      // The examples in the catalog of events contain records that do not exist.
      else if (typeof field === "object" && key !== "example") this.#read(undefined, field, foreign)
    }
  }

  #name(collection: string, id: number, foreign: boolean) {
    const known = (foreign ? this.#foreign : this.#own).get(collection) ?? []
    if (!known.some((fact) => fact["id"] === id)) this.add(collection, { id }, foreign)
  }

  forget(slot: Slot) {
    const pools = slot.foreign ? this.#foreign : this.#own
    const known = pools.get(slot.collection) ?? []
    if (known.length <= facts_min) return
    const gone = known[slot.pick % known.length]
    pools.set(
      slot.collection,
      known.filter((fact) => fact !== gone)
    )
  }

  /** True if the slot asks for a record of another organization, and such a record is known. */
  isForeign({ collection, foreign }: Slot): boolean {
    return foreign && (this.#foreign.get(collection)?.length ?? 0) > 0
  }

  fill({ collection, field, foreign, pick }: Slot): unknown {
    const known = (foreign ? this.#foreign.get(collection) : undefined) ?? this.#own.get(collection) ?? []
    return known[pick % Math.max(1, known.length)]?.[field] ?? (field.endsWith("id") ? 1 : "none")
  }
}
