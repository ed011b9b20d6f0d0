import { Effect, Layer, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../../src/einvoicing/ConnectedProviders.ts"
import { FrenchReportsRepo } from "../../../../src/einvoicing/france/reports/FrenchReportsRepo.ts"
import { OrganizationId } from "../../../../src/kernel/Ids.ts"
import { Inbox } from "../../../../src/einvoicing/received/Inbox.ts"
import { Users } from "../../../../src/identity/users/Users.ts"
import { browser, password } from "../../../identity/Visitor.ts"
import { lifecycle } from "../Lifecycle.ts"
import { supplierInvoice } from "../SupplierInvoice.ts"
import { useDeclarants, settings } from "./Declarant.ts"
import { ublInvoice } from "../../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { brokenByReports } from "./OfficialReports.ts"

const { app, arrived, declarant, point } = await useDeclarants()

const inbox = Inbox.layer.pipe(Layer.provide(ConnectedProviders))

const inRepo = <A>(run: Effect.Effect<A, never, FrenchReportsRepo>) =>
  app.run(Effect.provide(run, FrenchReportsRepo.layer))

const shown = async (organization_id: number) => {
  const { email } = await app.run(
    Effect.flatMap(Users, (users) =>
      users.create({ name: "Sam Super", email: "sam@example.com", superadmin: true }, Redacted.make(password))
    ).pipe(Effect.provide(Users.layer))
  )
  const visitor = browser(app)
  await visitor.logIn(email)
  const { text } = await visitor.get(`/admin/organizations/${organization_id}/french-reports?only=reported`)
  return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
}

/** Delivers a status of the tax authority about the only report. */
const told = async (code: string, reason?: string, at?: string) => {
  const [report = ""] = arrived()
  const number = /<Id>([^<]+)/.exec(report)?.[1] ?? expect.fail()
  const message = lifecycle({ number, code, type_code: "304", ...(reason === undefined ? {} : { reason }) })
  const flow = point.receive(message, "CDAR", "StateTransactionReportLC")
  flow.submittedAt = at ?? flow.submittedAt
  await app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox)))
}

describe("a status of the tax authority", () => {
  it("is shown with its reasons, archived, and refuses a report that the platform accepted", async () => {
    const books = await declarant()
    await books.sold(books.consumer)
    expect(await books.run()).toBe("done")
    expect(await books.reports()).toMatchObject([{ status: "accepted", authority_code: null }])
    await told("300", "MONTANT_ARRONDI")
    expect(await books.run()).toBe("done")
    const partly = { status: "accepted", authority_code: "300", reason: "MONTANT_ARRONDI: Motif" }
    expect(await books.reports()).toMatchObject([partly])
    await told("301", "PERIODE_INCONNUE")
    for (let run = 0; run < 2; run++) expect(await books.run()).toBe("done")
    const rejected = { status: "refused", authority_code: "301", reason: "PERIODE_INCONNUE: Motif" }
    expect(await books.reports()).toMatchObject([rejected])
    expect(arrived()).toHaveLength(1)
    const page = await shown(books.id)
    for (const part of [
      "Sales from 2025-03-01",
      "refused",
      "Documents 1",
      "Tax 20.00 EUR",
      "301 rejected",
      "PERIODE"
    ]) {
      expect(page).toContain(part)
    }
    const rows = await books.inDatabase(
      "select code from archive_transmissions where type = 'lifecycle_status' and object_id is not null and"
    )
    expect(rows).toEqual([{ code: "300" }, { code: "301" }])
    // A further sale changes the period, so the period is reported again.
    await books.sold(books.consumer, { issue_date: "2025-03-06" })
    expect(await books.run()).toBe("done")
    expect(await books.reports()).toMatchObject([{ status: "accepted", version: 2, authority_code: null }])
  })
})

it("a report that the authority rejects after a correction of the platform is sent again by the new one", async () => {
  const books = await declarant()
  await books.sold(books.consumer)
  await books.run()
  await books.tomorrow()
  await app.run(books.reconnect({ ...settings, platform_number: "PA02" }))
  await books.run()
  expect(arrived()).toHaveLength(1)
  await told("301", "PERIODE_INCONNUE")
  for (let run = 0; run < 3; run++) expect(await books.run()).toBe("done")
  expect(arrived()).toHaveLength(2)
  expect(arrived()[1]).toContain('<Id schemeId="0238">PA02<')
  expect(await books.reports()).toMatchObject([{ status: "accepted", version: 2 }])
})

it.each(["together", "one after the other"])("two statuses with the same time are both read (%s)", async (order) => {
  const books = await declarant()
  await books.sold(books.consumer)
  expect(await books.run()).toBe("done")
  const at = new Date().toISOString()
  await told("300", "MONTANT_ARRONDI", at)
  if (order === "one after the other") expect(await books.run()).toBe("done")
  await told("301", "PERIODE_INCONNUE", at)
  expect(await books.run()).toBe("done")
  expect(await books.reports()).toMatchObject([{ status: "refused", authority_code: "301" }])
})

it("a second status with the same code is archived, and an older one that arrives late is not shown", async () => {
  const books = await declarant()
  await books.sold(books.consumer)
  expect(await books.run()).toBe("done")
  const [late, first, second] = [3, 1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  await told("300", "MONTANT_ARRONDI", second)
  expect(await books.run()).toBe("done")
  await told("300", "PERIODE_INCONNUE", late)
  expect(await books.run()).toBe("done")
  await told("300", "TX_TVA_ERR", first)
  expect(await books.run()).toBe("done")
  expect(await books.reports()).toMatchObject([{ authority_at: late, reason: "PERIODE_INCONNUE: Motif" }])
  const rows = await books.inDatabase(
    "select code from archive_transmissions where type = 'lifecycle_status' and object_id is not null and"
  )
  expect(rows).toEqual([{ code: "300" }, { code: "300" }, { code: "300" }])
})

it("keeps the claim of a later process when an earlier one ends", async () => {
  const books = await declarant()
  await books.sold(books.consumer)
  await books.run()
  const key = { organization_id: OrganizationId.make(books.id), environment: "production" } as const
  const [report = expect.fail()] = await inRepo(FrenchReportsRepo.use((repo) => repo.unsettled(key)))
  const claim = FrenchReportsRepo.use((repo) => repo.claim({ ...report, claim_seconds: 60 }))
  const { claimed_until } = Option.getOrThrow(await inRepo(claim))
  await books.inDatabase("update french_reports set claimed_until = now() - interval '1 second' where")
  expect(Option.isSome(await inRepo(claim))).toBe(true)
  await inRepo(FrenchReportsRepo.use((repo) => repo.release({ ...report, claimed_until })))
  expect(Option.isNone(await inRepo(claim))).toBe(true)
})

const reporting = { ...settings, purchases: "services" }

it("purchases abroad are reported one by one by the buyer, and what cannot be stated is named", async () => {
  const books = await declarant(reporting)
  const bought = async (changes: object) =>
    books.made("POST", "/expenses", {
      expense_date: "2025-03-05",
      category: "other",
      amount: 250,
      currency: "EUR",
      description: "Hosting",
      is_vat_deductible: false,
      ...changes
    })
  const american = await bought({ country: "US", vendor: "Cloud Inc.", reference: "INV-1", currency: "USD" })
  const german = await bought({ country: "DE", vendor: "Server GmbH", reference: "R-7" })
  await bought({ country: "GB", vendor: "Ltd", reference: null })
  // None of these four expenses is reported: one has Belgian tax, one a supplier in an unknown country, one a supplier
  // in France, and one is a draft.
  await bought({ country: "BE", vendor: "Hotel", reference: "H-1", tax_amount: 14.15 })
  await bought({ vendor: "Inconnu", reference: "I-1" })
  await bought({ country: "FR", vendor: "Papeterie", reference: "P-1" })
  await bought({ country: "US", vendor: "Cloud Inc.", reference: "D-1", status: "draft" })
  expect(await books.run()).toBe("done")
  const [file = "", ...others] = arrived()
  expect([others, brokenByReports([file])]).toEqual([[], []])
  expect(file).toContain("<RoleCode>BY</RoleCode>")
  expect(file).toContain(`<Seller><CompanyId schemeId="0227">USCLOUDINC</CompanyId>`)
  expect(file).toContain(`<Buyer><CompanyId schemeId="0002">732829320</CompanyId>`)
  expect(file.match(/<ID>INV-1<|<TaxableAmount>250.00<|<Code>AE</g)).toHaveLength(3)
  expect(await books.reports()).toMatchObject([
    {
      kind: "purchases",
      status: "accepted",
      documents: 1,
      problems: [
        { number: "R-7", reason: "The business has no VAT identifier." },
        { number: expect.stringMatching(/^expense \d+$/), reason: expect.stringContaining("reference") }
      ]
    }
  ])
  // The supplier's e-invoice states its VAT identifier, which was missing in the first report.
  point.receive(ublInvoice())
  await app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox)))
  await books.inDatabase(`update received_documents
    set expense_id = ${german.id}, supplier = supplier || '{"tax_number":"DE123456788","country":"DE"}' where`)
  await books.made("PUT", `/expenses/${american.id}`, { amount: 300 })
  await books.tomorrow()
  expect(await books.run()).toBe("done")
  const rectified = arrived().at(-1) ?? ""
  expect(brokenByReports([rectified])).toEqual([])
  expect(rectified.match(/<TypeCode>RE<|<TaxableAmount>300.00<|<CompanyId schemeId="0223">DE123456788</g)).toHaveLength(
    3
  )
})

it("the country of a purchase is the one that the supplier's e-invoice states, if that is a country", async () => {
  const books = await declarant({ ...settings, purchases: "goods" })
  for (const [number, country] of [
    ["G-1", "EL"],
    ["D-1", "Deutschland"],
    ["D-2", "constructor"],
    ["D-3", "x".repeat(60)]
  ] as const) {
    const { id } = await books.made("POST", "/expenses", {
      expense_date: "2025-03-05",
      category: "other",
      amount: 250,
      currency: "EUR",
      description: "Parts",
      is_vat_deductible: false,
      reference: number
    })
    point.receive(supplierInvoice(number))
    await app.run(Inbox.use(({ collect }) => collect).pipe(Effect.provide(inbox)))
    const supplier = JSON.stringify({ tax_number: "EL094259216", country })
    await books.inDatabase(`update received_documents
      set expense_id = ${id}, supplier = supplier || '${supplier}' where number = '${number}' and`)
  }
  expect(await books.run()).toBe("done")
  const [file = "", ...others] = arrived()
  expect([others, brokenByReports([file])]).toEqual([[], []])
  expect(file).toContain(`<Seller><CompanyId schemeId="0223">EL094259216</CompanyId>`)
  expect(file.match(/<CountryId>[^<]+/g)).toEqual(["<CountryId>GR", "<CountryId>FR"])
  const problems = [
    { number: "D-1", reason: "Deutschland is not the code of a country." },
    { number: "D-2", reason: "constructor is not the code of a country." },
    { number: "D-3", reason: `${"x".repeat(50)} is not the code of a country.` }
  ]
  expect(await books.reports()).toMatchObject([{ kind: "purchases", documents: 1, problems }])
})
