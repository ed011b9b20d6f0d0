import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { RecordedDocuments } from "../../../src/einvoicing/documents/RecordedDocuments.ts"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { EinvoiceId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { pdfText } from "../../support/PdfText.ts"
import { requireChain } from "./RecordVerifier.ts"
import { spanish, useTaxAgency } from "./SpanishSellers.ts"
import type { Fault } from "./TaxAgency.ts"

const { app, required, seller } = useTaxAgency()
let agency: ReturnType<typeof required>

beforeAll(() => {
  agency = required()
})

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex")

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

  it("takes a record back by another record of the chain, once", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    await books.follow(id)
    await books.proceed()
    const key = { organization_id: OrganizationId.make(books.id), id: EinvoiceId.make(id) }
    const cancelling = RecordedDocuments.use((recorded) =>
      Effect.andThen(recorded.orderCancellation(key, "admin"), recorded.cancel(key))
    ).pipe(Effect.provide(RecordedDocuments.layer.pipe(Layer.provideMerge(ConnectedProviders))))
    await app.run(cancelling)
    await app.run(cancelling)
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_status: "Anulacion Correcto" })
    expect(books.arrived().map(({ kind }) => kind)).toEqual(["Alta", "Anulacion"])
    requireChain(books.arrived())
  })

  it("prints the QR code and the sentence of the law on invoices, and none on drafts", async () => {
    const books = await seller()
    const textOf = async ({ id }: { readonly id: number }) => {
      const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
      const answer = await fetch(`${app.url}/api/v1/invoices/${id}/pdf`, { headers })
      return (await Effect.runPromise(pdfText(new Uint8Array(await answer.arrayBuffer())))).replaceAll(/\s+/g, " ")
    }
    expect(await textOf(await books.draft())).not.toContain("QR tributario")
    const text = await textOf(await books.issued())
    expect(text).toContain("QR tributario:")
    expect(text).toContain("Factura verificable en la sede electrónica de la AEAT")
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

  it("keeps its chain here when it shows its records only on demand", async () => {
    const books = await seller({ adapter: "aeat_local" })
    const before = agency.messages.length
    const { id, status, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "submitted", network_status: "Conservado" })
    expect(agency.messages.length).toBe(before)
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

  it("waits as long as the agency asks, and says that records are late", async () => {
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

describe("an answer of the tax agency", () => {
  it("that refuses a record rejects the document, which is then registered as a correction", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent("refused")
    expect(await transmit()).toBe("done")
    await books.follow(id)
    const { invoice_id, ...refused } = await status()
    expect(refused).toMatchObject({
      status: "rejected",
      network_status: "Incorrecto 1100",
      reason: "Valor o tipo incorrecto del campo."
    })
    await books.proceed()
    const again = await books.submitted({ id: invoice_id })
    expect(await books.transmit(again.id)).toBe("done")
    await books.follow(again.id)
    expect((await books.at(again.id)).body.data.status).toBe("accepted")
    expect(books.arrived().map(({ isCorrection }) => isCorrection)).toEqual([false, true])
    requireChain(books.arrived())
  })

  it("that accepts a record with errors accepts the document", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent("warned")
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_status: "AceptadoConErrores 2004" })
  })

  it("that says duplicate at the first attempt rejects the document, because another system used its number", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent()
    const [{ date, issuer, number }] = [{ date: "01-03-2026", issuer: books.nif, number: (await status()).number }]
    const foreign = {
      kind: "Alta",
      issuer,
      number,
      date,
      total: "",
      hash: "",
      previous: null,
      isCorrection: false
    } as const
    agency.kept.set(`Alta ${issuer} ${number} ${date}`, { record: foreign, state: "Correcta" })
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "rejected", network_status: "Incorrecto 3000" })
  })

  it("that asks for silence gets it", async () => {
    const books = await seller()
    const { transmit } = await books.sent("busy")
    expect(await transmit()).toBe("NetworkUnavailable")
    const before = agency.messages.length
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(agency.messages.length).toBe(before)
    await books.unpause()
    expect(await transmit()).toBe("done")
  })

  it.each<Fault>(["reset_after", "garbage_after"])("that is lost is found out by sending again: %s", async (fault) => {
    const books = await seller()
    const { id, status, transmit } = await books.sent(fault)
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_reference: "P-1" })
    expect([...agency.kept.keys()].filter((name) => name.includes(books.nif))).toHaveLength(1)
  })

  it("that a killed process never stored is found out by the next one, once the lease has run out", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    // The state that a process leaves that is killed after the agency answered and before it stored the answer.
    await app.inDatabase(`update verifactu_records set state = 'waiting', reference = null, answered_at = null
      where organization_id = ${books.id}`)
    await app.inDatabase(`update einvoices set status = 'pending' where id = ${id}`)
    await books.proceed()
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect((await status()).status).toBe("accepted")
    expect([...agency.kept.keys()].filter((name) => name.includes(books.nif))).toHaveLength(1)
  })
})
