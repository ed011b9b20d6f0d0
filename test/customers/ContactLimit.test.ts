import { expect, it } from "vitest"
import { contacts_per_customer_max } from "../../src/customers/CustomerErrors.ts"
import { useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()

const metadata = (length: number) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, "x".repeat(length)]))

it("answers 422 for a contact too many, also when it moves from another customer, and frees deleted places", async () => {
  const { call, customer_id: full, id, made } = await open()
  await app.inDatabase(`insert into contacts (organization_id, customer_id, name, search)
    select ${id}, ${full}, 'Els ' || n, 'els ' || n from generate_series(1, ${contacts_per_customer_max - 1}) n`)
  const last = await made("POST", "/contacts", { customer_id: full, name: "Els" })
  const { id: other } = await made("POST", "/customers", { name: "Gamma" })
  const elsewhere = await made("POST", "/contacts", { customer_id: other, name: "Jan" })
  const refused = [
    await call("POST", "/contacts", { customer_id: full, name: "Jan" }),
    await call("PUT", `/contacts/${elsewhere.id}`, { customer_id: full })
  ]
  for (const { body, status } of refused) expect([status, body.code]).toEqual([422, "too_many_contacts"])
  expect((await made("GET", `/customers/${full}`)).contacts).toHaveLength(contacts_per_customer_max)
  expect((await call("PUT", `/contacts/${last.id}`, { customer_id: full, name: "Jan" })).status).toBe(200)
  expect((await call("DELETE", `/contacts/${last.id}`)).status).toBe(200)
  expect((await call("PUT", `/contacts/${elsewhere.id}`, { customer_id: full })).status).toBe(200)
})

it("answers 422 for contacts that are too large together, but lets them shrink", async () => {
  const { call, customer_id, id } = await open()
  // Earlier versions kept larger contacts.
  await app.inDatabase(`insert into contacts (organization_id, customer_id, name, search, metadata)
    select ${id}, ${customer_id}, 'Els ' || n, 'els ' || n, '${JSON.stringify(metadata(450))}'::jsonb
    from generate_series(1, 25) n`)
  const refused = await call("POST", "/contacts", { customer_id, name: "Jan" })
  expect([refused.status, refused.body.code]).toEqual([422, "too_many_contacts"])
  const [first] = (await call("GET", `/contacts?customer_id=${customer_id}`)).body.data
  const change = async (length: number) =>
    (await call("PUT", `/contacts/${first.id}`, { metadata: metadata(length) })).status
  expect([await change(500), await change(400)]).toEqual([422, 200])
})
