import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { purgeSandbox } from "../../src/einvoicing/providers/sandbox/SandboxPurge.ts"
import { useApp } from "../support/App.ts"
import { magic } from "../support/Network.ts"
import { gln, network, transmission } from "./Sent.ts"

const app = useApp()
const { poll, refusal, sender, submit } = network(app)

const aged = (transmission_id: string, days: number) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        update network_transmissions set created_at = now() - make_interval(days => ${days})
        where transmission_id = ${transmission_id}::uuid`
    )
  )

it("the sandbox forgets transmissions, taken and not, after 180 days", async () => {
  const from = await sender()
  const [old, lately] = ["A-1", "A-2"].map((number) => transmission(from, gln(magic.accepted), { number }))
  const lost = transmission(from, gln(magic.unavailable_at_first), { number: "A-3" })
  if (old === undefined || lately === undefined) throw new Error("There are two.")
  await submit(old)
  await submit(lately)
  expect(await refusal(lost)).toBe("NetworkUnavailable")
  await aged(old.transmission_id, 181)
  await aged(lately.transmission_id, 179)
  await aged(lost.transmission_id, 181)
  expect(await app.run(purgeSandbox())).toBe(2)
  expect(await poll(old)).toEqual([])
  expect(await poll(lately)).toHaveLength(4)
  expect(await app.run(purgeSandbox())).toBe(0)
})
