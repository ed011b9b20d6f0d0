import { Effect, Layer, Option, Redacted } from "effect"
import { expect, it } from "vitest"
import { hashToken } from "../../src/platform/crypto/Opaque.ts"
import { Invitations } from "../../src/organizations/invitations/Invitations.ts"
import { watchedPasswords } from "../support/database/WatchedPasswords.ts"
import { useApp } from "../support/App.ts"
import { requestDuring } from "../support/service/Meanwhile.ts"

const app = useApp()

it("An invitation is refused with already_member if the person accepts an earlier one meanwhile", async () => {
  const { id, owner } = await app.organization()
  const path = `/api/v1/organizations/${id}/users/invite`
  const invite = (role: string) =>
    app.call("POST", path, { token: owner.token, body: { email: "invited@example.com", role } })
  expect((await invite("member")).status).toBe(201)
  const accepted = `update members set status = 'active', joined_at = now()
    where organization_id = ${id} and status = 'invited'`
  const again = await requestDuring(app, [accepted], () => invite("viewer"))
  expect(again).toMatchObject({ status: 422, body: { code: "already_member" } })
})

it("An invited user's new password is hashed before the transaction", async () => {
  const { id, owner } = await app.organization()
  const path = `/api/v1/organizations/${id}/users/invite`
  await app.call("POST", path, { token: owner.token, body: { email: "hashed@example.com", role: "member" } })
  const token = "inv_of-this-test"
  await app.inDatabase(
    `update members set invitation_hash = '\\x${Buffer.from(hashToken(token)).toString("hex")}'
     where organization_id = ${id} and status = 'invited'`
  )
  const proof = {
    session: Option.none(),
    password: Redacted.make("correct horse battery"),
    name: "Ina Invited",
    origin: { address: "127.0.0.1" }
  }
  const open: Array<number> = []
  await app.run(
    Invitations.use((invitations) => invitations.accept(token, proof)).pipe(
      Effect.provide(Invitations.layer.pipe(Layer.provide(watchedPasswords(app, open))), { local: true })
    )
  )
  expect(open).toEqual([0])
})
