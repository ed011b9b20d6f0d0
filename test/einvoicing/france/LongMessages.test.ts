import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { lifecycle } from "./Lifecycle.ts"
import { usePlatform } from "./Seller.ts"
import { supplierInvoice } from "./SupplierInvoice.ts"

const { app, point, seller, told } = await usePlatform()

const inbox = Inbox.layer.pipe(Layer.provide(ConnectedProviders))
const collect = () => app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox)))

/** A text that PostgreSQL cannot compress, so that an index has to hold it in full. */
const long = (characters: number) => randomBytes(characters / 2).toString("hex")

const reference = /<r:ReferenceReferencedDocument>.*<\/r:ReferenceReferencedDocument>/s

/** Delivers a message that names the document of `given` many times. */
const toldOften = (given: Parameters<typeof lifecycle>[0], reasons: ReadonlyArray<string>) => {
  const references = reasons.map((reason) => reference.exec(lifecycle({ ...given, reason }))?.[0] ?? "")
  return point.receive(
    lifecycle(given).replace(reference, () => references.join("")),
    "CDAR",
    "CustomerInvoiceLC"
  )
}

const numbers = async ({ call }: Awaited<ReturnType<typeof seller>>) =>
  (await call("GET", "/einvoicing/received")).body.data.map(({ number }: { readonly number: string }) => number)

const statusesOf = ({ id }: { readonly id: number }) =>
  app.inDatabase(`select number, code, reason from lifecycle_statuses where organization_id = ${id}`)

describe("a life cycle message", () => {
  it("is passed over if no document has such a long number, so that others and documents arrive", async () => {
    const books = await seller()
    const { id, number, status, transmit } = await books.sent()
    await transmit()
    told({ number: long(6_000), code: "203" })
    told({ number, code: "203" })
    point.receive(supplierInvoice("F-1"))
    await collect()
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "delivered", network_status: "203" })
    expect(await statusesOf(books)).toHaveLength(1)
    expect(await numbers(books)).toEqual(["F-1"])
  })

  it("waits if it cannot be stored, so that others and documents arrive", async () => {
    const books = await seller()
    const { id, number, status, transmit } = await books.sent()
    await transmit()
    await app.inDatabase(`alter table lifecycle_statuses add constraint no_206 check (code <> '206')`)
    const { flowId } = told({ number, code: "206" })
    told({ number, code: "203" })
    point.receive(supplierInvoice("F-1"))
    await collect()
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "delivered", network_status: "203" })
    expect(await numbers(books)).toEqual(["F-1"])
    await app.inDatabase(`alter table lifecycle_statuses drop constraint no_206`)
    await collect()
    const waiting = `select flow_id from incoming_flows where organization_id = ${books.id} and taken_at is null`
    expect(await app.inDatabase(waiting)).toEqual([{ flow_id: flowId }])
    await app.inDatabase("update incoming_flows set retry_at = now() where taken_at is null")
    await collect()
    expect(await app.inDatabase(waiting)).toEqual([])
  })

  it("states the beginning of a long code and of a long reason", async () => {
    const books = await seller()
    const { number } = await books.sent()
    told({ number, code: "9".repeat(50), reason: "R".repeat(2_000) })
    await collect()
    expect(await statusesOf(books)).toEqual([{ number, code: "9".repeat(40), reason: "R".repeat(1_000) }])
  })

  it("states each status of a document once, and not more than 300 statuses", async () => {
    const books = await seller()
    const { id, number, status, transmit } = await books.sent()
    await transmit()
    const { file } = toldOften({ number, code: "203" }, Array<string>(500).fill("LATE"))
    await collect()
    expect(await statusesOf(books)).toEqual([{ number, code: "203", reason: "LATE: Motif" }])
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "delivered", network_status: "203" })
    const { receipts } = (await books.at(id, "/evidence")).body.data
    expect(receipts.filter(({ type }: { readonly type: string }) => type === "lifecycle_status")).toHaveLength(1)
    expect(file.length).toBeLessThan(256 * 1024)
    const other = await seller()
    toldOften(
      { number: "F", code: "203" },
      Array.from({ length: 400 }, (_, index) => `R_${index}`)
    )
    await collect()
    expect(await statusesOf(other)).toHaveLength(300)
  })

  it("is kept, but not read, if it is larger than 256 KiB", async () => {
    const books = await seller()
    const { number } = await books.sent()
    const padding = `<!--${" ".repeat(256 * 1024)}-->`
    point.receive(lifecycle({ number, code: "210" }) + padding, "CDAR", "CustomerInvoiceLC")
    await collect()
    expect(await statusesOf(books)).toEqual([])
    const kept = `select content is not null as kept from incoming_flows where organization_id = ${books.id}`
    expect(await app.inDatabase(kept)).toEqual([{ kept: true }])
  })
})

it("the verdict of a platform is shown with the beginning of a long code and of a long reason", async () => {
  const books = await seller()
  const { id, status, transmit } = await books.sent()
  const details = [
    { level: "Error", item: "file", reasonCode: "C".repeat(50), reasonMessage: "M".repeat(2_000) },
    { level: "Error", item: "file", reasonCode: "OTHER", reasonMessage: "M" }
  ]
  point.state.ack = { status: "Error", details }
  await transmit()
  await books.follow(id)
  const reason = `${"C".repeat(50)}: ${"M".repeat(948)}`
  expect(await status()).toMatchObject({ status: "failed", network_status: "C".repeat(40), reason })
})
