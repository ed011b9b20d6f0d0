import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
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

interface Sent {
  readonly path: string
  readonly type: string
  readonly body: string
}

const customer: Sent = {
  path: "/api/v1/customers",
  type: "application/json",
  body: JSON.stringify({ name: "Sent slowly" })
}

const receipt: Sent = {
  path: "/api/v1/expenses/upload-receipt",
  type: "multipart/form-data; boundary=edge",
  body: [
    "--edge",
    'Content-Disposition: form-data; name="file"; filename="slow.pdf"',
    "Content-Type: application/pdf",
    "",
    "%PDF-1.4 slow",
    "--edge--"
  ].join("\r\n")
}

/** Sends a request whose body is complete only after `meanwhile`, and returns the answer. */
const sendSlowly = (token: string, { body, path, type }: Sent, meanwhile: () => Promise<unknown>) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1")
    let answer = ""
    const head = [
      `POST ${path} HTTP/1.1`,
      "Host: localhost",
      `Authorization: Bearer ${token}`,
      `X-Organization-Id: ${acme.id}`,
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
      "Connection: close"
    ]
    socket.on("connect", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, -1)}`)
      meanwhile().then(() => socket.write(body.slice(-1)), reject)
    })
    socket.on("data", (data) => (answer += data.toString("latin1")))
    socket.on("error", reject)
    socket.on("close", () => resolve(answer))
  })

describe("a request whose body takes longer than a second", () => {
  it.each([
    ["JSON", customer],
    ["a file", receipt]
  ])("is refused if the member is removed before the last byte of %s", async (_, request) => {
    const caller = await admin()
    const answer = await sendSlowly(caller.token, request, async () => {
      await sleep(1500)
      await app.inDatabase(removal(caller))
    })
    expect(answer).toMatch(/^HTTP\/1.1 403 [^]*"code":"organization_forbidden"/)
  })

  it("is refused if the token is revoked before its last byte", async () => {
    const caller = await admin()
    const answer = await sendSlowly(caller.token, customer, async () => {
      await sleep(1500)
      await app.inDatabase(`update tokens set revoked_at = now() where user_id = ${caller.id}`)
    })
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })

  it("is counted once by the rate limit", async () => {
    const caller = await admin()
    const answer = await sendSlowly(caller.token, customer, () => sleep(1500))
    expect(answer).toMatch(/^HTTP\/1.1 201 /)
    expect(await app.inDatabase(`select used from rate_windows where key = 'user:${caller.id}'`)).toEqual([{ used: 1 }])
    const remaining = Number(/x-ratelimit-remaining: (\d+)/i.exec(answer)?.[1])
    const next = await app.call("GET", "/api/v1/customers", { token: caller.token, organization: acme.id })
    expect(Number(next.headers.get("x-ratelimit-remaining"))).toBe(remaining - 1)
  })
})
