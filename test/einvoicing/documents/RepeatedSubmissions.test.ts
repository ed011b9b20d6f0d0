import { describe, expect, it } from "vitest"
import { magic } from "../../support/counterparts/Network.ts"
import { answerLost } from "../../support/service/AnswerLost.ts"
import { useEinvoicing } from "./Submitting.ts"

const { app, open } = useEinvoicing()

const seller = async () => {
  const books = await open()
  await books.register()
  return books
}

describe("POST /api/v1/einvoicing/invoices, repeated with its Idempotency-Key", () => {
  it("replays its answer", async () => {
    const { call, draft, submit } = await seller()
    const invoice = await draft()
    const once = () => submit(invoice, {}, { headers: { "idempotency-key": "once" } })
    const first = await once()
    const again = await once()
    expect([first.status, again.body]).toEqual([201, first.body])
    expect((await call("GET", "/einvoicing/invoices")).body.meta.total).toBe(1)
  })

  it("answers the same submission after a crash lost the answer", async () => {
    const { call, draft, submit } = await seller()
    const invoice = await draft()
    const once = () => submit(invoice, {}, { headers: { "idempotency-key": "lost" } })
    const first = await once()
    await app.run(answerLost("lost"))
    const again = await once()
    expect([first.status, again.status, again.body.data.id]).toEqual([201, 201, first.body.data.id])
    expect((await call("GET", "/einvoicing/invoices")).body.meta.total).toBe(1)
  })

  it("answers a submission that the network refused before the repeat, whatever became of the registration", async () => {
    const { at, call, draft, id, submit, transmit } = await seller()
    const invoice = await draft()
    const once = () =>
      submit(invoice, { recipient_identifier_value: magic.refused }, { headers: { "idempotency-key": "refused" } })
    const first = await once()
    await transmit(first.body.data.id)
    const failed = await at(first.body.data.id)
    expect(failed.body.data.status).toBe("failed")
    for (const status of ["active", "suspended"]) {
      await app.inDatabase(`update einvoicing_registrations set status = '${status}' where organization_id = ${id}`)
      await app.run(answerLost("refused"))
      const again = await once()
      expect([status, again.status, again.body]).toEqual([status, 201, failed.body])
    }
    expect((await call("GET", "/einvoicing/invoices")).body.meta.total).toBe(1)
  })
})
