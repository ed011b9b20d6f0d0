import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { supplierInvoice } from "./SupplierInvoice.ts"
import { usePlatform } from "./Seller.ts"

const { app, point, seller } = await usePlatform()

const collect = () => app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(services)))
const services = Inbox.layer.pipe(Layer.provide(ConnectedProviders))

it("a document is stored although the platform takes no message about the twenty documents before it", async () => {
  const books = await seller()
  const numbers = Array.from({ length: 21 }, (_, index) => `F-${index + 1}`)
  for (const number of numbers) point.receive(supplierInvoice(number))
  point.faults.push(...numbers.map(() => "down" as const))
  await collect()
  await collect()
  const listed = await books.made("GET", "/einvoicing/received?per_page=50&sort=id")
  expect(listed.map(({ number }: { number: string }) => number)).toEqual(numbers)
  expect(point.sent("CDAR")).toEqual([])
  await app.inDatabase("update unread_arrivals set retry_at = now()")
  await app.inDatabase("update provider_submissions set attempted_at = attempted_at - interval '1 hour'")
  for (let run = 0; run < 2; run++) await collect()
  expect(point.sent("CDAR")).toHaveLength(21)
  expect(await app.inDatabase("select 1 from unread_arrivals")).toEqual([])
})
