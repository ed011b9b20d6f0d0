import { randomUUID } from "node:crypto"
import { Effect, Option, Result } from "effect"
import { describe, expect, it } from "vitest"
import { SubmissionsOnce } from "../../../src/einvoicing/providers/SubmissionsOnce.ts"
import { now } from "../../../src/kernel/Calendar.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { useApp } from "../../support/App.ts"

const app = useApp()

const recover = () => Effect.as(Effect.sleep("50 millis"), Option.none())

/** A document for which each process looks up an earlier submission before any of them submits the document. */
const raced = async (processes: number, age = "0 minutes") => {
  const { id } = await app.organization()
  const key = { organization_id: OrganizationId.make(id), transmission_id: randomUUID() }
  if (age !== "0 minutes") {
    // The service records times in milliseconds.
    await app.inDatabase(`insert into provider_submissions (organization_id, transmission_id, attempted_at)
      values (${id}, '${key.transmission_id}', date_trunc('milliseconds', now()) - interval '${age}')`)
  }
  let sent = 0
  const send = Effect.gen(function* () {
    sent++
    yield* Effect.sleep("50 millis")
    return { reference: "A-1", at: yield* now, exchange: null }
  })
  const results = await app.run(
    SubmissionsOnce.use(({ submit }) =>
      Effect.all(
        Array.from({ length: processes }, () => Effect.result(submit({ key, send, recover }))),
        { concurrency: "unbounded" }
      )
    ).pipe(Effect.provide(SubmissionsOnce.layer))
  )
  return [sent, results.filter(Result.isSuccess).length]
}

describe("a document that several processes submit at the same time", () => {
  it("is submitted once", async () => {
    expect(await raced(4)).toEqual([1, 1])
  })

  it("is submitted once more after an attempt whose outcome stayed unknown", async () => {
    expect(await raced(4, "11 minutes")).toEqual([1, 1])
  })

  it("is not submitted while the outcome of an earlier attempt may still be unknown", async () => {
    expect(await raced(2, "9 minutes")).toEqual([0, 0])
  })
})
