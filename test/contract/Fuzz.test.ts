import { expect, it } from "vitest"
import { operations } from "./document/OpenApi.ts"
import { campaign } from "../../scripts/fuzz/Campaign.ts"
import { workOf } from "../archive/DocumentArchiver.ts"
import { newLine, openAccount } from "../banking/Books.ts"
import { sellerOf } from "../einvoicing/documents/Submitting.ts"
import { useBilling } from "../support/Billing.ts"
import { receiver } from "../support/counterparts/Receiver.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"
import { client, join, password, person } from "../identity/Visitor.ts"
import { fakeReader } from "../expenses/receipts/FakeReader.ts"

/** `npm run fuzz -- --requests 100000` runs longer. */
const requests = 2_500
const seed = 3
/** Maximum share of operations that never succeed. Each one is called about ten times, mostly with invalid input. */
const unreached_share_max = 0.2

const receiving = await receiver()
const { app, open } = useBilling(receiving.settings(), { reader: fakeReader().layer })

it(`answers ${requests} hostile and plausible requests as the OpenAPI document says`, async () => {
  const own = await open({ plan: "business" })
  const { archiveAll, build } = workOf(app)
  const seller = await sellerOf(app, own)
  await seller.register()
  await seller.carried((await seller.submitted(await own.issued())).id)
  await archiveAll(own)
  const collected = await own.made("POST", "/archive/exports")
  await build(own, collected.id)
  await newLine(app, own, await openAccount(app, own.id), "12.34")
  const other = await app.organization({ name: "Other" })
  const viewer = await app.run(seedMember(own.id, "viewer"))
  const token = await app.run(seedOrganizationToken(own.id))
  const registered = await client(app, { password_grant: true })
  const member = await person(app)
  await join(app, member.id, own.id)
  const report = await campaign(
    {
      base: app.url,
      callers: [
        { token: own.owner.token, organization: own.id, foreign: false },
        { token: other.owner.token, organization: other.id, foreign: true },
        { token, organization: undefined, foreign: false },
        { token: own.owner.token, organization: other.id, foreign: true },
        { token: viewer.token, organization: own.id, foreign: false },
        { token: undefined, organization: own.id, foreign: false }
      ],
      facts: {
        "archive/exports": [{ id: collected.id }],
        clients: [{ id: registered.id, redirect_uri: registered.redirect_uris[0] }],
        people: [{ email: member.email, password }],
        receivers: [{ url: receiving.url("/hook") }]
      },
      isAlive: () => true
    },
    { seed, indexes: Array.from({ length: requests }).keys(), parallel: 4 }
  )
  expect([...report.findings]).toEqual([])
  expect([...report.statuses.values()].reduce((sum, count) => sum + count)).toBe(requests)
  // Most operations succeed sometimes, so the requests reach the code behind the validation.
  expect(report.unreached.size).toBeLessThan(operations.length * unreached_share_max)
}, 300_000)
