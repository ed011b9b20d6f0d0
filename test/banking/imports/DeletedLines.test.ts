import { assert, describe, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { importer, openAccount, table } from "../Books.ts"

const { app, open } = useBilling()

type Deletion = { readonly id: number; readonly deleted_at: string }

describe("GET /api/v1/bank-transactions?deleted=true", () => {
  it("answers the lines of deleted imports, by page and by cursor, with the filters of the list", async () => {
    const [books, others] = [await open(), await open()]
    const [account, other] = [
      await openAccount(app, books.id),
      await openAccount(app, books.id, { iban: null, name: "Savings" })
    ]
    const upload = importer(app, books)
    const content = table(["2026-01-05", "1,00"], ["2026-01-06", "2,00"], ["2026-01-07", "0,00"])
    const { data } = await upload(account, content)
    await upload(other, table(["2026-01-05", "1,00"]))
    const lines: ReadonlyArray<Deletion> = await books.made(
      "GET",
      `/bank-transactions?bank_account_id=${account}&sort=id`
    )
    const ids = lines.map(({ id }) => id)
    const ask = async (query: string, { call } = books) => (await call("GET", `/bank-transactions?${query}`)).body
    const found = async (query: string) => {
      const body = await ask(`deleted=true&${query}`)
      return [body.data.map(({ id }: Deletion) => id), body.meta.total]
    }
    assert.deepEqual(await found(""), [[], 0])
    const before = new Date().toISOString()
    await books.made("DELETE", `/bank-accounts/${account}/imports/${data.id}`)

    const [first = 0, second = 0, third = 0] = ids
    assert.deepEqual(await found(""), [ids, 3])
    assert.deepEqual(await found(`updated_since=${before}`), [ids, 3])
    assert.deepEqual(await found("updated_since=2999-01-01"), [[], 0])
    assert.deepEqual(await found("sort=-booking_date&per_page=2"), [[third, second], 3])
    assert.deepEqual(await found(`bank_account_id=${account}&date_from=2026-01-06&status=unmatched`), [[second], 1])
    assert.deepEqual(await found(`bank_account_id=${other}`), [[], 0])
    const page = await ask("deleted=true&cursor=&per_page=2")
    assert.deepEqual(Object.keys(page.data[0]).toSorted(), ["deleted_at", "id"])
    const rest = await ask(`deleted=true&per_page=2&cursor=${page.meta.next_cursor}`)
    assert.deepEqual(
      [page, rest].map(({ data }) => data.map(({ id }: Deletion) => id)),
      [[first, second], [third]]
    )
    assert.deepEqual((await ask("deleted=true", others)).data, [])
    assert.equal((await ask("")).meta.total, 1)

    await upload(account, content)
    assert.equal((await ask("")).meta.total, 4)
    assert.deepEqual(await found(""), [ids, 3])
  })
})
