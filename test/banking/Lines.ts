import { useBilling } from "../support/Billing.ts"
import { importer, openAccount, table } from "./Books.ts"

export const today = new Date().toISOString().slice(0, 10)

type Line = readonly [amount: string, text?: string, day?: string]

export const useLines = () => {
  const { app, open } = useBilling()

  /** Creates an organization with these bank lines on one account, imported in the given order. */
  const opened = async (...given: ReadonlyArray<Line>) => {
    const books = await open()
    const add = async (lines: ReadonlyArray<Line>, options: Parameters<typeof openAccount>[2] = {}) => {
      const account = await openAccount(app, books.id, options)
      const rows = lines.map(([amount, text = "", day = today]) => [day, amount, "", text] as const)
      await importer(app, books)(account, table(...rows))
      const stored = await books.made("GET", `/bank-transactions?per_page=100&bank_account_id=${account}&sort=id`)
      return stored.map(({ id }: { readonly id: number }) => id) as ReadonlyArray<number>
    }
    const lines = await add(given)
    const state = (id: number | undefined) => books.made("GET", `/bank-transactions/${id}`)
    const match = (id: number | undefined, body: object) => books.call("POST", `/bank-transactions/${id}/match`, body)
    const unmatch = (id: number | undefined, body?: object) =>
      books.made("POST", `/bank-transactions/${id}/unmatch`, body)
    return { books, add, lines, state, match, unmatch }
  }

  return { app, opened }
}

/** Picks the fields that describe how a line was settled, without the version, the time and the history. */
export const ended = ({ matches, matched_amount, remaining_amount, status }: Record<string, unknown>) => [
  status,
  matched_amount,
  remaining_amount,
  (matches as ReadonlyArray<unknown>).length
]
