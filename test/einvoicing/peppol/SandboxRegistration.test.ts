import { Effect, Layer, Option } from "effect"
import { expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { EinvoicingServices } from "../../../src/einvoicing/EinvoicingLayer.ts"
import { Approvals } from "../../../src/einvoicing/registrations/Approvals.ts"
import { EnrollmentRepair } from "../../../src/einvoicing/registrations/EnrollmentRepair.ts"
import { RegistrationId } from "../../../src/kernel/Ids.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { useAccessPoint } from "./PointSeller.ts"

const both = { production: true, einvoicingSandbox: Option.some(true) }
const { app, connected, point } = useAccessPoint(useEinvoicing(both))

/** An organization that is registered with the sandbox, and then connected to the access point. */
const registered = async () => {
  const books = await connected()
  await books.register()
  await app.run(books.connect)
  const registration = async () => (await books.call("GET", "/einvoicing/registration")).body.data
  const id = RegistrationId.make((await registration()).id)
  const decide = (action: "suspend" | "approve" | "deregister") =>
    app.run(
      Approvals.use((approvals) => approvals[action]({ organization_id: books.organization_id, id }, "admin")).pipe(
        Effect.provide(EinvoicingServices)
      )
    )
  const repair = (environment: "sandbox" | "production") =>
    app.run(
      EnrollmentRepair.use(({ repair }) =>
        repair({ organization_id: books.organization_id, provider: "peppol", environment })
      ).pipe(Effect.provide(EnrollmentRepair.layer.pipe(Layer.provide(ConnectedProviders))))
    )
  return { ...books, registration, decide, repair }
}

it("changes of a registration with the sandbox do not reach the access point", async () => {
  const { call, decide, id, registration, repair } = await registered()
  const before = point().state.requests
  const change = { organization_id: id, acts_as_receiver: false }
  expect((await call("PATCH", "/einvoicing/registration", change)).status).toBe(200)
  for (const action of ["suspend", "approve", "deregister"] as const) await decide(action)
  await repair("sandbox")
  expect(await registration()).toMatchObject({ status: "deregistered", environment: "sandbox" })
  expect(point().state.requests).toBe(before)
})

it("the access point is repaired as if the organization had no registration with the sandbox", async () => {
  const { register, registration, repair } = await registered()
  point().state.isSmpRecipient = true
  await repair("production")
  expect(point().state.isSmpRecipient).toBe(false)
  expect(await registration()).toMatchObject({ status: "active", environment: "sandbox" })
  await expect(register()).rejects.toThrow()
})
