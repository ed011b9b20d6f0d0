import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { line } from "../../support/Billing.ts"
import { runs } from "../../support/Runs.ts"
import { useQuotes } from "./QuoteBooks.ts"

const { eventsOf, open } = useQuotes()

const quotes_count = 8
const actions = ["PUT", "DELETE", "send", "mark-accepted", "mark-rejected", "convert-to-invoice", "duplicate"] as const

const Step = fc.record({
  quote: fc.nat(quotes_count - 1),
  action: fc.constantFrom(...actions)
})

describe("quotes under many hands", () => {
  it("answer every action with what their table says, decide once, and leave whole books", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 40, maxLength: 60 }), async (steps) => {
        const books = await open()
        const ids: Array<number> = []
        for (let index = 0; index < quotes_count; index++)
          ids.push((await books.quoted({ items: [line(index + 1)] })).id)
        const answers = await Promise.all(
          steps.map(async ({ action, quote }) => {
            const path = `/quotes/${ids[quote]}`
            const answer =
              action === "PUT" || action === "DELETE"
                ? await books.call(action, path, action === "PUT" ? { items: [line(9)] } : undefined)
                : await books.call("POST", `${path}/${action}`, action === "send" ? { attach_pdf: false } : undefined)
            return { action, quote, status: answer.status, code: answer.body.code }
          })
        )
        for (const answer of answers)
          expect([answer, [200, 201, 404, 409, 422]]).toEqual([answer, expect.arrayContaining([answer.status])])
        for (const [index, id] of ids.entries()) {
          const made = (action: string, status: number) =>
            answers.filter((answer) => answer.quote === index && answer.action === action && answer.status === status)
          expect(made("convert-to-invoice", 201).length).toBeLessThanOrEqual(1)
          expect(made("DELETE", 200).length).toBeLessThanOrEqual(1)
          const decided = (await eventsOf(books.id, id)).map(({ type }) => type)
          expect(decided.filter((type) => type === "quote.accepted").length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: runs(15) }
    )
  })
})
