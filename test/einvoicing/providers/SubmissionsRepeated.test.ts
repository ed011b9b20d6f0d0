import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { NetworkUnavailable } from "../../../src/einvoicing/providers/Provider.ts"
import { SubmissionsOnce } from "../../../src/einvoicing/providers/SubmissionsOnce.ts"
import { Timestamp } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useApp } from "../../support/App.ts"

const app = useApp()
const recover = () => Effect.succeedNone

it("A submission that another process repeated keeps its reference when the first attempt fails at last", async () => {
  const { id } = await app.organization()
  const key = {
    organization_id: OrganizationId.make(id),
    transmission_id: "01a2253e-38a9-76c9-871c-db8119e91681"
  }
  const [first, reference] = await app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { reference, submit } = yield* SubmissionsOnce
      const accepted = { reference: "R-1", at: Timestamp.make("2026-03-01T10:00:00.000Z"), exchange: null }
      const repeated = submit({ key, recover, send: Effect.succeed(accepted) })
      // The process of the first attempt is suspended for a quarter of an hour.
      const suspended = Effect.andThen(
        Effect.orDie(sql`update provider_submissions set attempted_at = attempted_at - interval '15 minutes'`),
        repeated
      )
      const send = Effect.andThen(suspended, Effect.fail(new NetworkUnavailable({ message: "The connection broke." })))
      return [yield* Effect.result(submit({ key, recover, send })), yield* reference(key)] as const
    }).pipe(Effect.provide(SubmissionsOnce.layer))
  )
  expect(first._tag).toBe("Failure")
  expect(Option.getOrNull(reference)).toBe("R-1")
})
