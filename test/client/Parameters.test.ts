import { beforeAll, expect, it } from "vitest"
import { invoicing, unwrap } from "../../src/client/Invoicing.ts"
import { type Books, useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()
let books: Books
beforeAll(async () => {
  books = await open()
})

const connected = () => invoicing({ baseUrl: app.url, token: books.owner.token, organization: books.id })

it("ids in a query are sent as the service reads them", async () => {
  const api = connected()
  const ids = await Promise.all(
    ["Flo", "Gus", "Hal", "Ida"].map(
      async (name) => (await unwrap(api.POST("/api/v1/customers", { body: { name } }))).id
    )
  )
  const remove = async (query: { readonly "ids[]": Array<number> } | { readonly ids: Array<number> }) => {
    const params = { query: { resource: "customers" as const, ...query } }
    return (await unwrap(api.DELETE("/api/v1/batch/resources", { params }))).summary
  }
  expect(await remove({ "ids[]": ids.slice(0, 2) })).toMatchObject({ succeeded: 2, failed: 0 })
  expect(await remove({ ids: ids.slice(2) })).toMatchObject({ succeeded: 2, failed: 0 })
})

it("a bank rule is tried or created, and the parameter decides the type of the answer", async () => {
  const api = connected()
  const body = { name: "Fees", conditions: [{ type: "amount_max" as const, value: 1 }], actions: { category: "fees" } }
  const dry = await unwrap(api.POST("/api/v1/bank-rules", { params: { query: { dry_run: true } }, body }))
  const { id } = await unwrap(api.POST("/api/v1/bank-rules", { body }))
  expect([dry.transaction_ids, id]).toEqual([[], expect.any(Number)])
})
