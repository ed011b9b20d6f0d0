import { assert, beforeAll, describe, it } from "vitest"
import { importer, openAccount, table } from "../banking/Books.ts"
import { client, person, tokenRequest, tokensFor } from "../identity/Visitor.ts"
import { type Books, useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()
let books: Books
let account: number
let line: number

beforeAll(async () => {
  books = await open()
  account = await openAccount(app, books.id)
  await importer(app, books)(account, table(["2026-03-02", "-12,00", "Shop", "bank charges"]))
  const [first] = await books.made("GET", "/bank-transactions")
  line = first.id
  await books.made("POST", `/bank-transactions/${line}/match`, { exclude: { reason: "fee" } })
})

/** Sends a request. `app.call` would refuse words in the answer that the API document does not declare. */
const read = async (path: string, method = "GET") => {
  const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
  const response = await fetch(`${app.url}/api/v1${path}`, { method, headers })
  assert.equal(response.status, 200)
  return JSON.stringify(JSON.parse(await response.text()).data)
}

describe("a word that a later version stored during an upgrade", () => {
  it("does not prevent lists of imports from being read", async () => {
    await app.inDatabase(`update bank_imports set summary = summary || '{"format": "camt054", "warnings":
      [{"code": "later_warning", "rule_id": null, "message": "Later."}]}' where organization_id = ${books.id}`)
    const imports = await read(`/bank-accounts/${account}/imports`)
    assert.include(imports, '"camt054"')
    assert.include(imports, '"later_warning"')
  })

  it("does not prevent lists of bank transactions from being read", async () => {
    const part = '{"signal": "later_signal", "points": 1, "reason": "Later."}'
    const suggestion = `{"type": "later_type", "id": 1, "score": 5, "signals": [${part}], "difference": null}`
    await app.inDatabase(`update bank_transactions set suggestion = '${suggestion}' where id = ${line}`)
    await app.inDatabase(`update bank_matches set exclude = '{"reason": "later_reason", "note": null}',
      explanation = '[${part}]' where bank_transaction_id = ${line}`)
    const lines = await read("/bank-transactions")
    for (const word of ["later_type", "later_signal", "later_reason"]) assert.include(lines, `"${word}"`)
    assert.include(await read(`/bank-transactions/${line}/unmatch`, "POST"), '"later_type"')
  })

  it("does not prevent the deliveries of a document from being read", async () => {
    const { id } = await books.issued()
    await app.inDatabase(`with send as (
        insert into document_sends (organization_id, document, document_id, operation, finished_at)
        values (${books.id}, 'invoice', ${id}, 'later', now()) returning id)
      insert into document_mails (organization_id, send_id, position, recipient, message_id, state, code, error, inherited)
      select ${books.id}, id, 0, 'ada@example.com', 'later', 'refused', 'later_code', 'Later.', false from send`)
    assert.include(await read(`/invoices/${id}/deliveries`), '"later_code"')
  })

  it("does not prevent tokens from being refreshed", async () => {
    const [mobile, { email }] = [await client(app), await person(app)]
    const { refresh_token } = await tokensFor(app, mobile, email)
    await app.inDatabase(`update clients set scopes = scopes || '{parcels:read}' where id = '${mobile.id}'`)
    const refreshed = await tokenRequest(app, { grant_type: "refresh_token", client_id: mobile.id, refresh_token })
    assert.equal(refreshed.status, 200)
  })
})
