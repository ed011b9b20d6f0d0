import { expect, it } from "vitest"
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
