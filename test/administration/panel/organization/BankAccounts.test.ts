import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { usePanel } from "../Panel.ts"

const { app, enter, fill, lastEntry, state } = usePanel()

const setting = async () => {
  const admin = await enter()
  const { id } = await app.organization({ name: "Banked" })
  const path = `/admin/organizations/${id}/bank-accounts`
  const draft = { name: "Giro", iban: "be68 5390 0754 7034", bank_code: "", bic: "", currency: "EUR" }
  const add = (changes: Partial<typeof draft> = {}) => fill(admin, `${path}/new`, { ...draft, ...changes })
  return { admin, id, path, add }
}

describe("bank accounts in the panel", () => {
  it("are added, given a balance and archived, each by the superadmin in the audit chain", async () => {
    const { add, admin, id, path } = await setting()
    const actor = `user:${admin.user.id}`
    expect((await add()).location).toBe(`${path}?done=CreateBankAccount`)
    expect(await lastEntry(id)).toMatchObject({ actor, action: "bank_account.created" })
    const list = await admin.get(path)
    expect(list.text).toContain("BE68539007547034 · EUR · no balance known")
    const balance = /href="([^"]+\/balance)"/.exec(list.text)?.[1] ?? ""
    expect((await fill(admin, balance, { balance: "-1234,5", at: "2026-03-31" })).location).toBe(
      `${path}?done=SetProviderBalance`
    )
    expect(await lastEntry(id)).toMatchObject({ actor })
    expect((await admin.get(path)).text).toContain("-1234.50 EUR at")
    const archive = balance.replace("balance", "archive")
    expect((await admin.get(archive)).text).toContain("<h1>Archive Giro?</h1>")
    expect((await fill(admin, archive, {})).location).toBe(`${path}?done=ArchiveBankAccount`)
    expect(await lastEntry(id)).toMatchObject({ actor, action: "bank_account.archived" })
    const archived = await admin.get(path)
    expect(archived.text).toContain("archived</span>")
    expect(archived.text).not.toContain("Set balance")
    const reopen = balance.replace("balance", "reopen")
    expect((await fill(admin, reopen, {})).location).toBe(`${path}?done=ReopenBankAccount`)
    expect(await lastEntry(id)).toMatchObject({ actor, action: "bank_account.reopened" })
    expect((await admin.get(path)).text).toContain("Set balance")
  })

  it("are given an opening balance, which the form then shows", async () => {
    const { add, admin, id, path } = await setting()
    await add()
    const form = /href="([^"]+\/opening-balance)"/.exec((await admin.get(path)).text)?.[1] ?? ""
    const opening = { opening_balance: "-1234,5", opening_balance_date: "2026-01-01" }
    expect((await fill(admin, form, opening)).location).toBe(`${path}?done=SetOpeningBalance`)
    expect(await lastEntry(id)).toMatchObject({
      actor: `user:${admin.user.id}`,
      action: "bank_account.opening_balance_set",
      data: { balance: "-1234.5", date: "2026-01-01" }
    })
    const shown = (await admin.get(form)).text
    expect(shown).toContain('value="-1234.50"')
    expect(shown).toContain('value="2026-01-01"')
    const before = await state()
    for (const wrong of [
      { opening_balance: "much" },
      { opening_balance: "" },
      { opening_balance_date: "2026-02-30" }
    ]) {
      expect((await fill(admin, form, { ...opening, ...wrong })).status).toBe(422)
    }
    expect(await state()).toBe(before)
  })

  it("are listed a page at a time, and each can be reached", async () => {
    const { admin, id, path } = await setting()
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          insert into bank_accounts (organization_id, name, currency)
          select ${id}, 'Account ' || n, 'EUR' from generate_series(1, 26) n`
      )
    )
    const first = await admin.get(path)
    expect(first.text.match(/Archive: Account \d+"/g)).toHaveLength(25)
    expect(first.text).toContain("Page 1 of 2, 26 in all")
    const second = await admin.get(`${path}?page=2`)
    expect(second.text.match(/Archive: Account \d+"/g)).toEqual([`Archive: Account 1"`])
    const archive = /href="([^"]+\/archive)"/.exec(second.text)?.[1] ?? ""
    expect((await admin.get(archive)).text).toContain("<h1>Archive Account 1?</h1>")
  })

  it("refuse invalid input, a second account with an IBAN, and accounts of another organization", async () => {
    const { add, admin, path } = await setting()
    const other = await setting()
    await add()
    await other.add()
    const foreign = /bank-accounts\/(\d+)\/archive/.exec((await admin.get(other.path)).text)?.[1] ?? ""
    const before = await state()
    for (const [changes, sentence] of [
      [{ name: "" }, "Name may not be empty."],
      [{ iban: "BE68 5390 0754 7035" }, "IBAN must be"],
      [{ bank_code: "20-00-00" }, "Account number is required with a bank code."],
      [{ bic: "nobic" }, "BIC must be a BIC (ISO 9362)."],
      [{ currency: "XXX" }, "Currency must be a valid ISO 4217 currency code."],
      [{}, "The organization has an active account with this IBAN or number in this currency."]
    ] as const) {
      const refused = await add(changes)
      expect(refused.status).toBe(422)
      expect(refused.text).toContain(sentence)
    }
    expect((await admin.get(`${path}/${foreign}/archive`)).status).toBe(404)
    const own = /bank-accounts\/(\d+)\/archive/.exec((await admin.get(path)).text)?.[1] ?? ""
    for (const wrong of [
      { balance: "much", at: "2026-03-31" },
      { balance: "1", at: "yesterday" }
    ]) {
      expect((await fill(admin, `${path}/${own}/balance`, wrong)).status).toBe(422)
    }
    expect(await state()).toBe(before)
  })
})
