import { beforeAll, describe, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { type SeededOrganization, seedMember } from "../support/database/Seed.ts"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationBinding } from "../../src/identity/OrganizationBinding.ts"
import { OrganizationId, UserId } from "../../src/kernel/Ids.ts"
import { OrganizationBindingLive } from "../../src/organizations/OrganizationBindingLive.ts"

const { app, open } = useBilling()
let ours: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
})

const path = (id: number) => `/api/v1/organizations/${id}`
const update = (body: unknown) => app.call("PUT", path(ours.id), { token: ours.owner.token, body })
const get = async (seed = ours) => (await app.call("GET", path(seed.id), { token: seed.owner.token })).body.data
const setting = (key: string, value: unknown) => update({ settings: [{ key, value }] })
const audited = () => app.inDatabase(`select count(*) from audit_entries where organization_id = ${ours.id}`)
const settingsOf = (organization: { settings: ReadonlyArray<{ key: string; value: unknown }> }) =>
  Object.fromEntries(organization.settings.map(({ key, value }) => [key, value]))

describe("PUT /api/v1/organizations/{id} with settings", () => {
  it("answers every setting, with defaults for unset ones", async () => {
    const seed = await app.organization()
    expect(settingsOf(await get(seed))).toEqual({
      invoice_number_format: "{PREFIX}-{YYYY}-{SEQ:4}",
      quote_number_format: null,
      credit_note_number_format: null,
      invoice_next_number: null,
      invoice_next_number_year: null,
      invoice_number_on: "issue",
      invoice_chronology_enforced: false,
      allow_overpayment: false,
      default_payment_terms_days: 30,
      reconciliation_auto_threshold: 50,
      stored_bytes_quota: 10_737_418_240,
      payment_iban: null,
      payment_bic: null,
      pdf_format: "facturx",
      brand_color: null,
      document_footer: null,
      payment_url: null,
      mail_texts: null,
      books_locked_until: null,
      it_tax_regime: null
    })
  })

  it("changes only the settings that are sent, and null restores the default", async () => {
    await setting("default_payment_terms_days", 14)
    const { body } = await setting("payment_iban", "be68 5390 0754 7034")
    expect(settingsOf(body.data)).toMatchObject({ default_payment_terms_days: 14, payment_iban: "BE68539007547034" })
    await setting("default_payment_terms_days", null)
    const after = await setting("payment_iban", null)
    expect(settingsOf(after.body.data)).toMatchObject({ default_payment_terms_days: 30, payment_iban: null })
  })

  it.each([
    ["invoice_number_format", "{SEQ}"],
    ["invoice_number_format", 5],
    ["invoice_next_number", 0],
    ["invoice_next_number", 1.5],
    ["invoice_next_number", "7"],
    ["invoice_number_on", "send"],
    ["invoice_number_on", true],
    ["allow_overpayment", "yes"],
    ["default_payment_terms_days", -1],
    ["reconciliation_auto_threshold", 101],
    ["stored_bytes_quota", 10_737_418_241],
    ["payment_iban", "BE68539007547035"],
    ["payment_bic", "KRED"],
    ["brand_color", "red"],
    ["document_footer", "x".repeat(501)],
    ["payment_url", "http://pay.example/{number}"],
    ["payment_url", "https://{number}.pay.example/"],
    ["payment_url", "https://pay.example/{invoice}"],
    ["payment_url", "javascript:alert(1)"],
    ["payment_url", "https://user@pay.example/"]
  ])("answers 422 on the value of %s for %j and changes nothing", async (key, value) => {
    const before = await get()
    const { body, status } = await update({
      settings: [
        { key: "allow_overpayment", value: true },
        { key, value }
      ]
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(["settings.1.value"])
    expect(await get()).toEqual(before)
  })

  it("lowers a quota above the default, and does not raise it", async () => {
    const books = await open({ settings: { stored_bytes_quota: 20_000_000_000 } })
    const { settings } = await books.made("GET", `/organizations/${books.id}`)
    const put = (value: number) =>
      books.call("PUT", `/organizations/${books.id}`, { settings: [{ key: "stored_bytes_quota", value }] })
    expect((await books.call("PUT", `/organizations/${books.id}`, { settings, city: "Gent" })).status).toBe(200)
    expect((await put(20_000_000_001)).status).toBe(422)
    expect((await put(15_000_000_000)).status).toBe(200)
    expect((await put(15_000_000_001)).status).toBe(422)
    expect((await put(1_000)).status).toBe(200)
    expect((await put(20_000_000_000)).status).toBe(422)
  })

  it("numbers each kind of document by its own format, and names files after it", async () => {
    const books = await open()
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [
        { key: "invoice_number_format", value: "{SEQ:3}/{YYYY}" },
        { key: "quote_number_format", value: "Q{YY}/{SEQ}" }
      ]
    })
    const invoice = await books.issued()
    const note = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "x" })
    const { due_date: _, ...body } = books.body({ valid_until: "2999-03-31" })
    const quote = await books.made("POST", "/quotes", body)
    const send = (path: string) => books.made("POST", `${path}/send`, { recipients: "a@beta.eu", attach_pdf: false })
    expect([invoice.number, (await send(`/quotes/${quote.id}`)).number]).toEqual(["001/2026", "Q26/1"])
    expect((await send(`/credit-notes/${note.id}`)).number).toMatch(/^CN-\d{4}-0001$/)
    const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    const file = await fetch(`${app.url}/api/v1/invoices/${invoice.id}/pdf`, { headers })
    expect(file.headers.get("content-disposition")).toContain('filename="001-2026.pdf"')
  }, 200_000)

  it.each([
    ["invoice_number_format", "QUO-{YYYY}-{SEQ}"],
    ["invoice_number_format", "{PREFIX}{YYYY}-{SEQ}", "quote_number_format", "INV{YY}{MM}-{SEQ:4}"],
    ["quote_number_format", "{YYYY}/{SEQ:4}", "credit_note_number_format", "{SEQ:3}1/{YYYY}"]
  ])("answers 422 for %s %s and changes nothing, as two kinds of documents could get one number", async (...list) => {
    const before = await get()
    const settings = [0, 2].flatMap((at) => (at < list.length ? [{ key: list[at], value: list[at + 1] }] : []))
    const { body, status } = await update({ settings })
    expect([status, Object.keys(body.errors)]).toEqual([422, [`settings.${settings.length - 1}.value`]])
    expect(body.message).toContain("get the same number")
    expect(await get()).toEqual(before)
  })

  it("accepts formats that differ in a digit", async () => {
    const settings = [
      { key: "invoice_number_format", value: "1{YYYY}-{SEQ:4}" },
      { key: "quote_number_format", value: "2{YYYY}-{SEQ:4}" },
      { key: "credit_note_number_format", value: "3{YYYY}-{SEQ:4}" }
    ]
    expect((await update({ settings })).status).toBe(200)
    await update({ settings: settings.map(({ key }) => ({ key, value: null })) })
  })

  it("keeps the brand, and the texts of mails", async () => {
    const mail_texts = { fr: { invoice: { subject: "{number} : {amount_due}", text: "Bonjour,\n\n{message}" } } }
    const values = {
      brand_color: "#AA00FF",
      document_footer: "One line\nand another",
      payment_url: "https://pay.example/{number}?amount={amount}&currency={currency}&reference={reference}",
      mail_texts
    }
    const { body } = await update({ settings: Object.entries(values).map(([key, value]) => ({ key, value })) })
    expect(settingsOf(body.data)).toMatchObject({ ...values, brand_color: "#aa00ff" })
  })

  it.each([
    ["an unknown placeholder", { en: { invoice: { subject: "{nummer}" } } }, "en.invoice.subject"],
    ["a stray brace", { en: { quote: { text: "{number" } } }, "en.quote.text"],
    ["a message twice", { en: { invoice: { text: "{message} {message}" } } }, "en.invoice.text"],
    ["a message as subject", { en: { invoice: { subject: "{message}" } } }, "en.invoice.subject"],
    ["two lines of subject", { en: { credit_note: { subject: "a\nBcc: b" } } }, "en.credit_note.subject"]
  ])("answers 422 for mail texts with %s", async (_, value, path) => {
    const { body, status } = await setting("mail_texts", value)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([`settings.0.value.${path}`])
  })

  it("answers 422 for mail texts in a language that documents do not have", async () => {
    expect((await setting("mail_texts", { ja: { invoice: { subject: "x" } } })).status).toBe(422)
  })

  it.each([
    [
      "the lock date",
      [
        { key: "books_locked_until", value: "2026-06-30" },
        { key: "books_locked_until", value: "2020-12-31" }
      ],
      ["settings.1.key"]
    ],
    [
      "a number format",
      [
        { key: "credit_note_number_format", value: null },
        { key: "invoice_number_format", value: "{YYYY}-{SEQ:4}" },
        { key: "credit_note_number_format", value: "{YYYY}-{SEQ:4}" },
        { key: "credit_note_number_format", value: null }
      ],
      ["settings.2.key", "settings.3.key"]
    ]
  ])("answers 422 for %s sent more than once, and changes and records nothing", async (_, settings, repeated) => {
    const before = [await get(), await audited()]
    const { body, status } = await update({ settings })
    expect([status, Object.keys(body.errors)]).toEqual([422, repeated])
    expect(body.message).toContain(`The ${repeated[0]} field must not repeat an earlier entry.`)
    expect([await get(), await audited()]).toEqual(before)
  })

  it("answers 422 for an unknown setting", async () => {
    const { body, status } = await setting("theme", "dark")
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(["settings.0"])
  })
})

const ask = <A>(use: (binding: OrganizationBinding["Service"]) => Effect.Effect<A>) =>
  app.run(Effect.flatMap(OrganizationBinding, use).pipe(Effect.provide(OrganizationBindingLive)))
const primaryOf = async (id: number) => Option.getOrNull(await ask((binding) => binding.primaryOf(UserId.make(id))))
const query = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement))

describe("The organization to which a user's token is bound", () => {
  it("is the primary one while the user is a member, then the one joined first, then none", async () => {
    const [first, second, third] = [await app.organization(), await app.organization(), await app.organization()]
    const { id } = await app.run(seedMember(undefined, "viewer"))
    const join = (organization: number, joined_at: string) =>
      query(
        (sql) => sql`insert into members (organization_id, user_id, role, status, joined_at)
                     values (${organization}, ${id}, 'viewer', 'active', ${joined_at}::timestamptz)`
      )
    const leave = (organization: number) =>
      query((sql) => sql`delete from members where organization_id = ${organization} and user_id = ${id}`)

    expect(await primaryOf(id)).toBeNull()
    await join(third.id, "2026-01-03")
    await join(first.id, "2026-01-02")
    await join(second.id, "2026-01-01")
    await query((sql) => sql`update users set primary_organization_id = ${third.id} where id = ${id}`)
    expect(await primaryOf(id)).toBe(third.id)
    await leave(third.id)
    expect(await primaryOf(id)).toBe(second.id)
    const memberships = await ask((binding) => binding.membershipsOf(UserId.make(id)))
    expect(memberships.map((membership) => membership.id)).toEqual([second.id, first.id])
  })

  it("is never one to which the user is only invited", async () => {
    const organization = await app.organization()
    const { id } = await app.run(seedMember(organization.id, "viewer"))
    const isMember = () => ask((binding) => binding.isMember(UserId.make(id), OrganizationId.make(organization.id)))
    expect(await isMember()).toBe(true)
    await query((sql) => sql`update members set status = 'invited' where user_id = ${id}`)
    expect(await isMember()).toBe(false)
    expect(await primaryOf(id)).toBeNull()
  })
})
