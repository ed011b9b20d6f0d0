import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { race } from "../../support/Billing.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { useEinvoicing } from "./Submitting.ts"

const { app, open } = useEinvoicing()

const seller = async () => {
  const books = await open()
  await books.register()
  const sent = async () => {
    const { id } = await books.submitted(await books.issued(), { recipient_identifier_value: magic.silent })
    await books.transmit(id)
    return id as number
  }
  return { ...books, sent }
}

const jobs = (queue: string) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ id: string }>`select id from jobs where queue_name = ${queue} order by visible_at, sequence`
    )
  )

describe("the polls of a submitted document", () => {
  it("are one chain, even if a crash or a second process repeats a poll", async () => {
    const { follow, sent } = await seller()
    const id = await sent()
    const planned = async () => (await jobs("einvoices.follow-up")).filter((job) => job.id.startsWith(`${id}:`))
    expect(await planned()).toEqual([{ id: `${id}:0` }])
    await race(3, () => follow(id, { polls: 0 }))
    await follow(id, { polls: 0 })
    expect(await planned()).toEqual([{ id: `${id}:0` }, { id: `${id}:1` }])
    await follow(id, { polls: 1 })
    expect(await planned()).toHaveLength(3)
  })

  it("wait for no more than one of another organization when they are due", async () => {
    const [many, other] = [await seller(), await seller()]
    const ids: Array<number> = []
    for (let count = 0; count < 3; count++) ids.push(await many.sent())
    const single = await other.sent()
    for (const id of ids) await many.queue(id, { polls: 0 })
    await other.queue(single, { polls: 0 })
    await other.queue(single, { polls: 0 })
    expect((await jobs("einvoices.poll")).map(({ id }) => id)).toEqual(
      [ids[0], single, ids[1], ids[2]].map((id) => `${id}:0`)
    )
  })

  it("wait for no more than one of another organization if an earlier version ordered them as extra polls", async () => {
    const [many, other] = [await seller(), await seller()]
    const ids: Array<number> = []
    for (let count = 0; count < 3; count++) ids.push(await many.sent())
    const single = await other.sent()
    for (const id of ids) await many.queue(id, { is_extra: true })
    await other.queue(single, { is_extra: true })
    const turns = (await jobs("einvoices.extra-poll")).map(({ id }) => Number(id.split(":")[0]))
    expect(turns).toEqual([ids[0], single, ids[1], ids[2]])
  })
})
