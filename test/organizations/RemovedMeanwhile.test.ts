import { connect } from "node:net"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { type SeededOrganization, seedMember } from "../support/database/Seed.ts"
import { requestDuring } from "../support/service/Meanwhile.ts"

const app = useApp()
let acme: SeededOrganization

beforeAll(async () => {
  acme = await app.organization()
})

const admin = () => app.run(seedMember(acme.id, "admin"))
type Person = Awaited<ReturnType<typeof admin>>

const lockOf = () => `select from organizations where id = ${acme.id} for no key update`
const removal = ({ id }: Person) => `delete from members where organization_id = ${acme.id} and user_id = ${id}`
const demotion = ({ id }: Person) =>
  `update members set role = 'viewer' where organization_id = ${acme.id} and user_id = ${id}`

const path = (rest: string) => `/api/v1/organizations/${acme.id}${rest}`
const hook = { url: "https://hooks.example.com/kept", events: ["invoice.paid"] }

/** Requests of an admin, by their names. The last value is a statement that finds what the request would have done. */
const requests: Readonly<
  Record<string, (caller: Person, other: Person) => readonly [string, string, unknown, string]>
> = {
  "an invitation": () => [
    "POST",
    path("/users/invite"),
    { email: "second.address@example.com", role: "admin" },
    `select from members where organization_id = ${acme.id} and status = 'invited'`
  ],
  "another role for a member": (_, other) => [
    "PUT",
    path(`/users/${other.id}`),
    { role: "viewer" },
    `select from members where user_id = ${other.id} and role = 'viewer'`
  ],
  "the removal of a member": (_, other) => [
    "DELETE",
    path(`/users/${other.id}`),
    undefined,
    `select where not exists (select from members where user_id = ${other.id})`
  ],
  "another account for payments": () => [
    "PUT",
    path(""),
    { settings: [{ key: "payment_iban", value: "BE68539007547034" }] },
    `select from organizations where id = ${acme.id} and settings ->> 'payment_iban' is not null`
  ],
  "a new webhook": ({ id }) => [
    "POST",
    "/api/v1/webhooks",
    hook,
    `select from webhooks where organization_id = ${acme.id} and created_by = ${id}`
  ]
}

describe.each([
  ["removed", removal],
  ["demoted", demotion]
] as const)("an admin who is %s while the request runs", (_, end) => {
  it.each(Object.keys(requests))("is refused: %s", async (name) => {
    const [caller, other] = [await admin(), await admin()]
    const [method, at, body, done] = requests[name]?.(caller, other) ?? ["GET", "/", undefined, ""]
    const answer = await requestDuring(app, [lockOf(), end(caller)], () =>
      app.call(method, at, { token: caller.token, organization: acme.id, body })
    )
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } })
    expect(await app.inDatabase(done)).toEqual([])
  })
})
