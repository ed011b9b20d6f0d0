import { beforeAll, describe, expect, it } from "vitest"
import { requireChain } from "./RecordVerifier.ts"
import { useTaxAgency } from "./SpanishSellers.ts"
import { type Fault, foreignRecord } from "./TaxAgency.ts"

const { app, required, seller } = useTaxAgency()
let agency: ReturnType<typeof required>

beforeAll(() => {
  agency = required()
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
    const other = await books.submitted(await books.draft())
    expect(await books.transmit(other.id)).toBe("done")
    await books.proceed()
    const again = await books.submitted({ id: invoice_id })
    expect(await books.transmit(again.id)).toBe("done")
    await books.follow(again.id)
    expect((await books.at(again.id)).body.data.status).toBe("accepted")
    expect(books.arrived().map(({ isCorrection }) => isCorrection)).toEqual([false, false, true])
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
    const { number } = await status()
    agency.kept.set(`Alta ${books.nif} ${number} 01-03-2026`, foreignRecord(books.nif, number))
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "rejected", network_status: "Incorrecto 3000" })
  })

  it("that requests a pause of a year gets the next records after an hour", async () => {
    const books = await seller()
    const { transmit } = await books.sent()
    const { wait_seconds } = agency.state
    agency.state.wait_seconds = 31_536_000
    expect(await transmit()).toBe("done")
    agency.state.wait_seconds = wait_seconds
    const paused = await app.inDatabase(`select next_send_at - now() <= interval '1 hour' as short
      from verifactu_chains where organization_id = ${books.id}`)
    expect(paused).toEqual([{ short: true }])
  })

  it("that requests a pause gets no requests", async () => {
    const books = await seller()
    const { transmit } = await books.sent("busy")
    expect(await transmit()).toBe("NetworkUnavailable")
    const before = agency.messages.length
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(agency.messages.length).toBe(before)
    await books.unpause()
    expect(await transmit()).toBe("done")
  })

  it.each<Fault>(["reset_after", "garbage_after"])(
    "that is lost is found out by asking, not by sending: %s",
    async (fault) => {
      const books = await seller()
      const { id, status, transmit } = await books.sent(fault)
      const before = agency.messages.length
      expect(await transmit()).toBe("NetworkUnavailable")
      expect(await transmit()).toBe("done")
      await books.follow(id)
      expect(await status()).toMatchObject({ status: "accepted", network_status: "Correcto", network_reference: "P-1" })
      expect([agency.messages.length - before, books.arrived().length]).toEqual([1, 1])
      const { body } = await books.at(id, "/evidence")
      expect(body.data.receipts).toMatchObject([{ type: "aeat_answer" }])
    }
  )

  it("about several records is found out month by month and page by page", async () => {
    const books = await seller()
    const supplied = { delivery_date: "2026-01-20" }
    const drafts = [...(await Promise.all([{}, {}, {}].map(() => books.draft()))), await books.draft(supplied)]
    const all = await Promise.all(drafts.map((draft) => books.submitted(draft)))
    agency.faults.push("reset_after")
    const before = [agency.messages.length, agency.questions.length]
    expect(await books.transmit(all[0].id)).toBe("NetworkUnavailable")
    agency.state.page_size = 2
    for (const { id } of all) expect(await books.transmit(id)).toBe("done")
    agency.state.page_size = 10_000
    const after = [agency.messages.length, agency.questions.length]
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 3])
    for (const { id } of all) {
      await books.follow(id)
      expect((await books.at(id)).body.data.status).toBe("accepted")
    }
  })

  it("about a record that never arrived leaves the record to be sent", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent("reset_before")
    const before = agency.questions.length
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect([(await status()).status, agency.questions.length - before]).toEqual(["accepted", 1])
    expect(books.arrived()).toHaveLength(1)
  })

  it("that is lost is found out by sending again when the agency answers no question", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent("reset_after")
    agency.state.isMute = true
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("done")
    agency.state.isMute = false
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "accepted", network_reference: "P-1" })
    expect([...agency.kept.keys()].filter((name) => name.includes(books.nif))).toHaveLength(1)
  })

  it("that is lost does not hide that another system has used the number", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent("reset_before")
    expect(await transmit()).toBe("NetworkUnavailable")
    agency.kept.set(
      `Alta ${books.nif} ${(await status()).number} 01-03-2026`,
      foreignRecord(books.nif, (await status()).number)
    )
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "rejected", network_status: "Incorrecto 3000" })
    expect(books.arrived()).toEqual([])
  })

  it("that a killed process never stored is found out by the next one, once the lease has run out", async () => {
    const books = await seller()
    const { id, status, transmit } = await books.sent()
    expect(await transmit()).toBe("done")
    // The record has this state if a process is killed after the agency answered and before it stored the answer.
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
