import type { Books } from "../support/Billing.ts"
import { until } from "../support/counterparts/Receiver.ts"

const later = { headers: { prefer: "respond-async" } }

/** Returns helpers that request operations as an organization's owner, and read their state. */
export const orderingOf = (books: Books) => {
  const order = (path: string, body: unknown) => books.call("POST", path, body, later)
  // oxlint-disable-next-line no-explicit-any -- tests read the fields of any answer
  const operation = (id: number): Promise<any> => books.made("GET", `/operations/${id}`)
  const reached = (
    id: number,
    what: string,
    is: (found: { readonly done: number; readonly completed_at: string | null }) => boolean
  ) =>
    until(`an operation that ${what}`, async () => {
      const found = await operation(id)
      return is(found) ? found : undefined
    })
  return {
    order,
    operation,
    reached,
    ended: (id: number) => reached(id, "has ended", ({ completed_at }) => completed_at !== null),
    customer: async (email: string) => (await books.made("POST", "/customers", { name: "Mailed", email })).id as number,
    /** For each address, creates a customer with this address and a draft for the customer. */
    draftsTo: async (...emails: ReadonlyArray<string>) => {
      const ids: Array<number> = []
      for (const email of emails) {
        const { id: customer_id } = await books.made("POST", "/customers", { name: "Mailed", email })
        ids.push((await books.draft({ customer_id })).id)
      }
      return ids
    }
  }
}
