import { Effect, Layer } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { RecordedDocuments } from "../../../src/einvoicing/recording/RecordedDocuments.ts"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { addDays, Day, Timestamp } from "../../../src/kernel/Calendar.ts"
import { RecordsRepo } from "../../../src/einvoicing/verifactu/RecordsRepo.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { requireChain } from "./RecordVerifier.ts"
import { spanish, useTaxAgency } from "./SpanishSellers.ts"
import { foreignRecord } from "./TaxAgency.ts"

const { app, required, seller } = useTaxAgency()
let agency: ReturnType<typeof required>

beforeAll(() => {
  agency = required()
})

/** Returns a moment in the year 2999, when every lease that the running service holds has expired. */
const inMinute = (minute: number) => Timestamp.make(`2999-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`)

const pdfOf = async ({ id, owner }: Awaited<ReturnType<typeof seller>>, invoice: { readonly id: number }) => {
  const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }
  const answer = await fetch(`${app.url}/api/v1/invoices/${invoice.id}/pdf`, { headers })
  return new Uint8Array(await answer.arrayBuffer())
}
const textOf = async (...printed: Parameters<typeof pdfOf>) =>
  (await Effect.runPromise(pdfText(await pdfOf(...printed)))).replaceAll(/\s+/g, " ")

describe("an organization that is connected to the tax agency", () => {
  it("is not connected with a wrong password or without a declared system", async () => {
    const { connecting } = await seller()
    expect((await app.run(Effect.flip(connecting({ certificate_password: "wrong" })))).message).toContain("password")
    const refused = await app.run(Effect.flip(connecting({ declaration: "", producer_nif: "B58378432" })))
    expect(JSON.stringify(refused)).toMatch(/declaration.*producer_nif|producer_nif.*declaration/)
  })

  it("hands over an invoice and its credit note, byte for byte, and knows their codes", async () => {
    const books = await seller()
    const { id, status, transmit, xml_sha256 } = await books.sent()
    expect(await transmit()).toBe("done")
    await books.follow(id)
    const taken = await status()
    expect(taken).toMatchObject({ status: "accepted", network_status: "Correcto", environment: "production" })
    expect(taken.network_reference).toMatch(/^A-\d+$/)
    const xml = /<sf:RegistroAlta[^]*?<\/sf:RegistroAlta>/.exec(agency.messages.at(-1) ?? "")?.[0] ?? ""
    expect(sha256(xml)).toBe(xml_sha256)
    const { body } = await books.at(id, "/evidence")
    expect(body.data.receipts).toMatchObject([{ type: "aeat_answer" }])

    await books.proceed()
    const credit = { invoice_id: taken.invoice_id, reason: "Returned", amount: 10 }
    const note = await books.made("POST", "/credit-notes", credit)
    const { id: note_einvoice } = await books.submitted({ id: 0 }, { invoice_id: null, credit_note_id: note.id })
    expect(await books.transmit(note_einvoice)).toBe("done")
    await books.follow(note_einvoice)
    expect((await books.at(note_einvoice)).body.data.status).toBe("accepted")
    const records = books.arrived()
    requireChain(records)
    expect(records.map(({ total }) => total)).toEqual(["121.00", "-10.00"])
  })

  it("records every issued document without being asked, once, and not while a send may be undone", async () => {
    const books = await seller()
    const invoice = await books.issued()
    const jobs = await app.inDatabase(`select 1 from jobs where queue_name = 'einvoices.recording'
      and element::text like '%"organization_id":${books.id}%'`)
    expect(jobs.length).toBe(1)
    await books.record("invoice", (await books.draft()).id)
    await books.record("invoice", invoice.id)
    await books.record("invoice", invoice.id)
    const { data } = (await books.call("GET", "/einvoicing/invoices?provider=es_verifactu")).body
    expect(data).toMatchObject([{ invoice_id: invoice.id, status: "pending" }])
    expect(await books.transmit(data[0].id)).toBe("done")
    expect(books.arrived().map(({ number }) => number)).toEqual([invoice.number])
  })

  it("makes no record of a sale under the margin scheme", async () => {
    const books = await seller()
    const exempt = { tax_exempt: true, tax_exemption_reason: "E", exemption_code: "VATEX-EU-F" }
    const draft = await books.draft({ items: [{ description: "Used car", unit_price: 100, ...exempt }] })
    const { errors } = (await books.validate(draft, spanish)).body.data
    expect(errors).toMatchObject([{ rule: "ES-REGIME", pointer: "/invoice/items" }])
    expect((await books.submit(draft, spanish)).status).toBe(422)

    const invoice = await books.issued({ items: draft.items })
    expect(await textOf(books, invoice)).not.toContain("QR tributario")
    await books.record("invoice", invoice.id)
    const { data } = (await books.call("GET", "/einvoicing/invoices")).body
    expect(data).toMatchObject([{ status: "failed", reason: expect.not.stringContaining("Credit the invoice") }])
    expect(await textOf(books, invoice)).not.toContain("QR tributario")
  })

  it("issues no document before its date, and lets one that was issued before wait for its date", async () => {
    const books = await seller()
    const future = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const ahead = await books.draft({ issue_date: future, due_date: future })
    const { body } = await books.validate(ahead, spanish)
    expect(body.data.errors).toMatchObject([{ rule: "1112", pointer: "/invoice/issue_date" }])
    for (const [path, body] of [
      ["send", { recipients: "ap@beta.example" }],
      ["mark-sent", {}]
    ] as const) {
      const refused = await books.call("POST", `/invoices/${ahead.id}/${path}`, body)
      expect([refused.status, refused.body.code]).toEqual([422, "non_chronological"])
    }
    expect((await books.submit(ahead, spanish)).body.code).toBe("non_chronological")
    expect((await books.made("GET", `/invoices/${ahead.id}`)).status).toBe("draft")

    const registration = (status: string) =>
      app.inDatabase(`update einvoicing_registrations set status = '${status}' where organization_id = ${books.id}`)
    await registration("suspended")
    const invoice = await books.send(ahead)
    await registration("active")
    await books.record("invoice", invoice.id)
    expect((await books.call("GET", "/einvoicing/invoices?provider=es_verifactu")).body.data).toEqual([])
    // Midnight in Madrid is on the day before in UTC.
    const day_before = addDays(Day.make(future), -1)
    expect(
      await app.inDatabase(`select visible_at::date::text as day from jobs
        where queue_name = 'einvoices.recording' and id = 'invoice-${invoice.id}-${future}'`)
    ).toEqual([{ day: day_before }])
  })

  it("prints the QR code and the sentence of the law on invoices, and none on drafts and void ones", async () => {
    const books = await seller()
    await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "invoice_number_on", value: "create" }] })
    const draft = await books.draft()
    expect(await textOf(books, draft)).not.toContain("QR tributario")
    await books.call("DELETE", `/invoices/${draft.id}`)
    expect(await textOf(books, draft)).not.toContain("QR tributario")
    const text = await textOf(books, await books.issued())
    expect(text).toContain("QR tributario:")
    expect(text).toContain("Factura verificable en la sede electrónica de la AEAT")
  })

  it("prints by an invoice's record, whatever becomes of the registration", async () => {
    const books = await seller()
    const registration = (change: string) =>
      app.inDatabase(`update einvoicing_registrations set ${change} where organization_id = ${books.id}`)
    await registration("status = 'pending', approved_at = null")
    const early = await books.issued()
    await books.record("invoice", early.id)
    await registration("status = 'active', approved_at = now()")
    expect(await textOf(books, early)).not.toContain("QR tributario")

    const recorded = await books.issued()
    expect(await textOf(books, recorded)).toMatch(/QR tributario:.*Factura verificable/)
    const printed = await pdfOf(books, recorded)
    await books.record("invoice", recorded.id)
    await registration("status = 'suspended'")
    expect(await pdfOf(books, recorded)).toEqual(printed)
    const between = await books.issued()
    await books.record("invoice", between.id)
    await registration("status = 'active', approved_at = now()")
    expect(await pdfOf(books, recorded)).toEqual(printed)
    expect(await textOf(books, between)).not.toContain("QR tributario")
  })

  it("makes no records when it is registered for SII or belongs to a foral territory", async () => {
    for (const facts of [{ es_sii_registered: true }, { es_foral_territory: "bizkaia" }]) {
      const books = await seller({ facts })
      const invoice = await books.issued()
      await books.record("invoice", invoice.id)
      expect((await books.submit(invoice, spanish)).body.code).toBe("format_unsupported")
      expect((await books.call("GET", "/einvoicing/invoices")).body.data).toEqual([])
    }
  })
})

describe("the chain", () => {
  it("has no gap when documents are submitted at the same time, and leaves in one message in its order", async () => {
    const books = await seller()
    const drafts = await Promise.all(Array.from({ length: 6 }, () => books.draft()))
    const all = await Promise.all(drafts.map((draft) => books.submitted(draft)))
    const before = agency.messages.length
    for (const { id } of all.toReversed()) expect(await books.transmit(id)).toBe("done")
    expect(agency.messages.length).toBe(before + 1)
    expect(books.arrived()).toHaveLength(6)
    requireChain(books.arrived())
    for (const { id } of all) {
      await books.follow(id)
      expect((await books.at(id)).body.data.status).toBe("accepted")
    }
  })

  it("keeps the lease of the process that took over from a suspended one", async () => {
    const books = await seller()
    await (await books.sent()).transmit()
    await books.proceed()
    const chain = { organization_id: OrganizationId.make(books.id), environment: "production" } as const
    const repo = Effect.gen(function* () {
      const { claim, release } = yield* RecordsRepo
      const take = (from: number) => claim(chain, { at: inMinute(from), until: inMinute(from + 5), full: 1_000 })
      const taken = [yield* take(0), yield* take(1), yield* take(5)]
      yield* release({ ...chain, until: inMinute(5) })
      taken.push(yield* take(6))
      yield* release({ ...chain, until: inMinute(10) })
      return [...taken, yield* take(6)]
    })
    expect(await app.run(repo.pipe(Effect.provide(RecordsRepo.layer)))).toEqual([true, false, true, false, true])
  })

  it("waits as long as the agency requests, and says that records are late", async () => {
    const books = await seller()
    agency.state.wait_seconds = 60
    const first = await books.sent()
    expect(await first.transmit()).toBe("done")
    const second = await books.sent()
    const before = agency.messages.length
    expect(await second.transmit()).toBe("NetworkUnavailable")
    expect(agency.messages.length).toBe(before)
    await books.proceed()
    await app.inDatabase(`update verifactu_records set generated_at = generated_at - interval '10 minutes'
      where organization_id = ${books.id}`)
    expect(await second.transmit()).toBe("done")
    expect(agency.messages.at(-1)).toContain("<sf:Incidencia>S</sf:Incidencia>")
    expect(agency.messages.at(-2)).not.toContain("Incidencia")
    requireChain(books.arrived())
    agency.state.wait_seconds = 1
  })
})

describe("the comparison with the tax agency", () => {
  it("names the documents that only one side has, and those whose records differ", async () => {
    const books = await seller()
    const all = [await books.issued(), await books.issued(), await books.issued(), await books.issued()]
    for (const document of all) await books.record("invoice", document.id)
    const [{ id }] = (await books.call("GET", "/einvoicing/invoices")).body.data
    expect(await books.transmit(id)).toBe("done")
    const compared = () =>
      app.run(
        RecordedDocuments.use(({ compare }) => compare(OrganizationId.make(books.id), "2026-03")).pipe(
          Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders)))
        )
      )
    expect(await compared()).toEqual({ recorded: 4, held: 4, missing: [], different: [], unknown: [] })
    const [missing, changed, same, cancelled] = all.map(({ number }) => number)
    const at = (number: string, kind = "Alta") => `${kind} ${books.nif} ${number} 01-03-2026`
    agency.kept.delete(at(missing))
    agency.kept.set(at(changed), foreignRecord(books.nif, changed))
    agency.kept.set(at(cancelled, "Anulacion"), foreignRecord(books.nif, cancelled))
    agency.kept.set(at("X-1"), foreignRecord(books.nif, "X-1"))
    expect(await compared()).toEqual({
      recorded: 4,
      held: 4,
      missing: [missing],
      different: [changed, cancelled],
      unknown: ["X-1"]
    })
    expect(same).toEqual(expect.any(String))
  })
})

describe("a simplified invoice", () => {
  it("is replaced by a full one and credited, and its credit note stays a correction of a simplified invoice", async () => {
    const books = await seller()
    const named = async (tax_number: string | null) =>
      books.made("PUT", `/customers/${books.customer_id}`, { tax_number })
    await named(null)
    const simplified = await books.issued()
    await books.record("invoice", simplified.id)
    await named("54362315K")
    const { id } = await books.submitted(await books.draft())
    const credit = { invoice_id: simplified.id, reason: "Sustituida por factura completa", amount: simplified.total }
    const note = await books.made("POST", "/credit-notes", credit)
    await books.submitted({ id: 0 }, { invoice_id: null, credit_note_id: note.id })
    expect(await books.transmit(id)).toBe("done")
    expect(books.arrived().map(({ total, type }) => [type, total])).toEqual([
      ["F2", "121.00"],
      ["F1", "121.00"],
      ["R5", "-121.00"]
    ])
    requireChain(books.arrived())
  })
})
