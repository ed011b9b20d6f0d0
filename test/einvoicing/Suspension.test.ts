import { Effect } from "effect"
import { expect, it } from "vitest"
import { EinvoicingServices } from "../../src/einvoicing/EinvoicingLayer.ts"
import { Approvals } from "../../src/einvoicing/registrations/Approvals.ts"
import { OrganizationId, RegistrationId } from "../../src/kernel/Ids.ts"
import { digestOf } from "../support/Digest.ts"
import { useEinvoicing } from "./documents/Submitting.ts"

const { app, open } = useEinvoicing()

it("POST /api/v1/einvoicing/invoices answers 400 while the registration is suspended, and issues nothing", async () => {
  const { call, draft, id, register, submit } = await open()
  await register()
  const registration = (await call("GET", "/einvoicing/registration")).body.data
  const key = { organization_id: OrganizationId.make(id), id: RegistrationId.make(registration.id) }
  const decided = (decide: (approvals: Approvals["Service"]) => Effect.Effect<unknown, unknown>) =>
    app.run(Effect.flatMap(Approvals, decide).pipe(Effect.provide(EinvoicingServices)))

  await decided((approvals) => approvals.suspend(key, "admin"))
  const invoice = await draft()
  const before = await app.run(digestOf(id))
  const { body, status } = await submit(invoice)
  expect([status, body.code]).toEqual([400, "not_registered"])
  expect(await app.run(digestOf(id))).toEqual(before)

  await decided((approvals) => approvals.approve(key, "admin"))
  expect((await submit(invoice)).status).toBe(201)
})
