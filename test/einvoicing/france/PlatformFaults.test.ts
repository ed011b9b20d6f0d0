import { describe, expect, it } from "vitest"
import { here, startService } from "../../support/Service.ts"
import type { Fault } from "./Platform.ts"
import { toBuyer, usePlatform } from "./Seller.ts"

const { app, point, seller } = await usePlatform()

describe("a failure of the platform", () => {
  it("that is a verdict ends the submission, and the document can be submitted again", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("malformed")
    expect(await transmit()).toBe("done")
    const { invoice_id, reason, status: ended } = await status()
    expect([ended, reason, arrived()]).toEqual(["failed", "The file is no invoice.", []])
    const again = await books.submitted({ id: invoice_id }, toBuyer)
    expect(await books.transmit(again.id)).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it("that asks for silence gets it", async () => {
    const books = await seller()
    const { arrived, transmit } = await books.sent("busy")
    expect(await transmit()).toBe("NetworkUnavailable")
    const before = point.state.requests
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(point.state.requests).toBe(before)
    const [provider] = (await books.call("GET", "/einvoicing/providers")).body.data
    expect(provider.connection.last_error).toContain("wait")
    await books.unpause()
    expect(await transmit()).toBe("done")
    expect(arrived()).toHaveLength(1)
  })

  it.each<Fault>(["reset_after", "garbage_after", "error_after"])(
    "that hides its success is settled by asking, and nothing is sent twice: %s",
    async (fault) => {
      const books = await seller()
      const { arrived, id, status, transmit } = await books.sent(fault)
      expect(await transmit()).toBe("NetworkUnavailable")
      expect((await status()).status).toBe("pending")
      expect(await transmit()).toBe("done")
      await books.follow(id)
      expect([arrived().length, (await status()).network_status]).toEqual([1, "Ok"])
    }
  )

  it("of which nobody knows whether it took the document is repeated only when it must have ended", async () => {
    const books = await seller()
    const { arrived, status, transmit } = await books.sent("reset_before")
    const before = point.state.submissions
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(await transmit()).toBe("NetworkUnavailable")
    expect(point.state.submissions).toBe(before + 1)
    await books.resume()
    expect(await transmit()).toBe("done")
    expect([arrived().length, (await status()).status]).toEqual([1, "submitted"])
  })

  it("that is forgotten, as after a restored backup, does no harm, because it refuses a file that it has", async () => {
    const books = await seller()
    const { arrived, id, status, transmit } = await books.sent("reset_after")
    expect(await transmit()).toBe("NetworkUnavailable")
    await app.inDatabase(`delete from provider_submissions where organization_id = ${books.id}`)
    expect(await transmit()).toBe("done")
    expect(arrived().map(({ ack }) => ack.status)).toEqual(["Ok", "Error"])
    await books.follow(id)
    expect(await status()).toMatchObject({ status: "submitted", network_status: "Ok" })
  })

  it("is told apart from a process that was killed between the answer and its own record", async () => {
    const books = await seller()
    const { arrived, id, status, transmit } = await books.sent("stopped_after")
    const service = startService(await app.run(here), { ROLE: "worker", DATA_DIR: app.dataDir })
    point.state.stop = () => void service.then(({ kill }) => kill("SIGKILL"))
    const killed = await (await service).ended
    expect(killed).toBe("SIGKILL")
    expect([arrived().length, (await status()).status]).toEqual([1, "pending"])
    expect(await transmit()).toBe("done")
    await books.follow(id)
    expect([arrived().length, (await status()).network_status]).toEqual([1, "Ok"])
  }, 200_000)
})
