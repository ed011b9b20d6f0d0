import { expect, it } from "vitest"
import { line, useBilling } from "../support/Billing.ts"

const { open } = useBilling()

interface Result {
  readonly status: string
  readonly http_status: number
  readonly error: { readonly code: string } | null
}

it("a batch attempts no further item after results with 8,000,000 characters", { timeout: 120_000 }, async () => {
  const books = await open()
  const items = Array.from({ length: 500 }, () => line(1, { description: "x".repeat(2_000) }))
  const draft = await books.draft({ items })
  const ids: Array<number> = [draft.id]
  for (let copy = 0; copy < 9; copy++) ids.push((await books.made("POST", `/invoices/${draft.id}/duplicate`)).id)
  const update = (notes: string, further: object = {}) =>
    books.call("POST", "/batch/invoices/update", { updates: ids.map((id) => ({ id, notes })), ...further })
  const notesOf = (id = 0) => books.invoice(id).then(({ notes }) => notes)

  const { body, status } = await update("first")
  expect([status, body.data.summary]).toEqual([200, { total: 10, succeeded: 8, failed: 2 }])
  const last: ReadonlyArray<Result> = body.data.results.slice(8)
  for (const { error, http_status } of last) expect([http_status, error?.code]).toEqual([422, "batch_too_large"])
  expect([await notesOf(ids[7]), await notesOf(ids[8])]).toEqual(["first", null])

  const together = await update("second", { atomic: true })
  expect([together.status, together.body.code]).toEqual([422, "batch_failed"])
  const results: ReadonlyArray<Result> = together.body.data.results
  expect(results.map(({ http_status }) => http_status)).toEqual([...Array<number>(8).fill(424), 422, 422])
  expect(await notesOf(ids[0])).toBe("first")
})
