import type { Answer } from "../../support/App.ts"
import type { Books } from "../../support/Billing.ts"

interface Identified {
  readonly id: number
}

/** What the owner of these books does with credit notes. */
export const creditsOf = (books: Books) => {
  const body = (invoice: Identified, amount: number | string, changes: object = {}) => ({
    invoice_id: invoice.id,
    amount,
    reason: "Returned goods",
    ...changes
  })
  const ask = (invoice: Identified, amount: number | string, changes: object = {}): Promise<Answer> =>
    books.call("POST", "/credit-notes", body(invoice, amount, changes))
  const draft = (invoice: Identified, amount: number | string, changes: object = {}) =>
    books.made("POST", "/credit-notes", body(invoice, amount, changes))
  const send = (note: Identified, given?: object): Promise<Answer> =>
    books.call("POST", `/credit-notes/${note.id}/send`, given)
  const note = (id: number) => books.made("GET", `/credit-notes/${id}`)
  return { body, ask, draft, send, note }
}
