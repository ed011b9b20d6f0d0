import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { workOf } from "../archive/DocumentArchiver.ts"
import { importer, openAccount, table } from "../banking/Books.ts"
import { sellerOf } from "../einvoicing/documents/Submitting.ts"
import { useBilling } from "./Billing.ts"
import { verifyBooks } from "./Conservation.ts"

const { app, open } = useBilling()
const { archiveAll } = workOf(app)

/** Creates an organization with an archive, an e-invoice, and two bank lines that pay an invoice and an expense. */
beforeAll(async () => {
  const books = await open({ plan: "business" })
  const seller = await sellerOf(app, books)
  await seller.register()
  const invoice = await books.issued()
  const submission = await seller.submitted(invoice)
  expect((await seller.carried(submission.id)).status).toBe("accepted")
  await archiveAll(books)
  const expense = await books.made("POST", "/expenses", {
    expense_date: "2026-01-05",
    category: "meals",
    description: "Lunch",
    amount: 12.1,
    currency: "EUR"
  })
  const account = await openAccount(app, books.id)
  await importer(app, books)(
    account,
    table(["2026-01-05", String(invoice.balance_due), "Beta", invoice.number], ["2026-01-05", "-12,10", "", "Lunch"])
  )
  const [lunch, paid] = await books.made("GET", "/bank-transactions")
  const match = async (line: { readonly id: number }, document: object) =>
    expect((await books.call("POST", `/bank-transactions/${line.id}/match`, document)).status).toBe(200)
  await match(paid, { invoice_id: invoice.id })
  await match(lunch, { expense_id: expense.id })
})

/** Damages the books and undoes the damage; returns true if the check of the books did not notice it. */
const holdsAfter = (damage: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let holds = true
      yield* Effect.gen(function* () {
        // Switches off triggers and foreign keys, so that nothing prevents the damage.
        yield* sql`set local session_replication_role = replica`
        const changed = yield* sql.unsafe(`${damage} returning 1`)
        if (changed.length === 0) return yield* Effect.die(`nothing is damaged by: ${damage}`)
        holds = Exit.isSuccess(yield* Effect.exit(verifyBooks))
        return yield* Effect.fail("undone")
      }).pipe(
        sql.withTransaction,
        Effect.catchIf(
          (error) => error === "undone",
          () => Effect.void
        )
      )
      return holds
    })
  )

describe("the check of the books detects", () => {
  it.each([
    "update bank_matches set undone_at = now() where invoice_id is not null",
    "delete from bank_matches where expense_id is not null",
    "update bank_matches set payment_id = payment_id + 1 where payment_id is not null",
    "update bank_matches set amount = -amount where invoice_id is not null",
    "update payments set bank_transaction_id = null where bank_transaction_id is not null",
    "update payments set amount = amount - 0.01",
    "update expenses set bank_transaction_id = null",
    "update expenses set status = 'approved', paid_at = null",
    "update expenses set amount = amount - 0.01",
    "update bank_transactions set invoice_id = null where invoice_id is not null",
    "delete from bank_transactions where amount < 0",
    "update bank_imports set summary = summary || '{\"imported\": 3}'",
    "delete from archive_objects where object_kind = 'pdf'",
    "delete from archive_objects where object_kind = 'ubl_xml'",
    "update vaults set bytes = bytes + 1",
    "update archive_objects set position = position + 700 where position = 1",
    "update archive_objects set number = 'INV-1' where object_kind = 'ubl_xml'",
    "update archive_objects set sha256 = repeat('0', 64) where object_kind = 'evidence'",
    "delete from archive_transmissions",
    "update archive_transmissions set code = 'XX'",
    "update einvoices set status = 'delivered'",
    "update einvoices set reason = 'late'",
    "update einvoices set xml_object_id = null, xml = 'x'",
    "delete from einvoice_messages",
    "delete from einvoice_messages where status = 'accepted'",
    "delete from outbox where type = 'einvoice.sent'",
    "update outbox set type = 'einvoice.failed' where type = 'einvoice.delivered'",
    "update audit_entries set canonical = replace(canonical, 'archive.stored', 'archive.kept')"
  ])("%s", async (damage) => {
    expect(await holdsAfter(damage)).toBe(false)
  })
})
