import { describe, expect, it } from "vitest"
import { here, startService } from "../../support/service/Service.ts"
import { type Fault, useCounterparts } from "./Counterparts.ts"

const { app, counterparts, elapse } = await useCounterparts()

/** Faults after which it may be unknown whether the provider has the document. */
const transient: ReadonlyArray<Fault> = [
  "down",
  "garbage",
  "reset_before",
  "reset_after",
  "garbage_after",
  "error_after"
]

for (const counterpart of counterparts) {
  const { attempts, faults, isAsked, isThere, name, provider, refused, seller, taken } = counterpart

  describe.runIf(isThere)(`a document on its way to ${name}`, () => {
    it("is submitted once, however often its job runs", async () => {
      const { at, follow, held, submitted, transmit } = await seller()
      const { id } = await submitted()
      const before = attempts()
      for (let run = 0; run < 3; run++) expect(await transmit(id)).toBe("done")
      await follow(id)
      expect([attempts() - before, held(), (await at(id)).body.data.status]).toEqual([1, 1, taken])
    })

    it("ends when it is refused, with the reason, and can be submitted again", async () => {
      const { at, follow, held, id: organization_id, resubmitted, submitted, transmit } = await seller()
      const { id, invoice_id } = await submitted("refused")
      expect(await transmit(id)).toBe("done")
      await follow(id)
      const { reason, status } = (await at(id)).body.data
      expect([status, reason, held()]).toEqual([refused, expect.stringMatching(/\w+/), 0])
      await elapse(organization_id)
      const again = await resubmitted(invoice_id)
      expect(await transmit(again.id)).toBe("done")
      await follow(again.id)
      expect([held(), (await at(again.id)).body.data.status]).toEqual([1, taken])
    })

    it.runIf(faults.includes("busy"))("waits as long as the provider requests (429 with Retry-After)", async () => {
      const { at, call, follow, held, id: organization_id, submitted, transmit } = await seller()
      const { id } = await submitted("busy")
      expect(await transmit(id)).toBe("NetworkUnavailable")
      const before = attempts()
      expect(await transmit(id)).toBe("NetworkUnavailable")
      expect([attempts(), held()]).toEqual([before, 0])
      const { data } = (await call("GET", "/einvoicing/providers")).body
      const { connection } = data.find(({ code }: { readonly code: string }) => code === provider)
      expect(connection.last_error).toMatch(/wait|429/)
      await elapse(organization_id)
      expect(await transmit(id)).toBe("done")
      await follow(id)
      expect([held(), (await at(id)).body.data.status]).toEqual([1, taken])
    })

    it.each(transient.filter((fault) => faults.includes(fault)))(
      "is neither lost nor sent twice after %s",
      async (fault) => {
        const { at, follow, held, id: organization_id, submitted, transmit } = await seller()
        const { id } = await submitted(fault)
        const before = attempts()
        expect(await transmit(id)).toBe("NetworkUnavailable")
        expect([attempts() - before, (await at(id)).body.data.status]).toEqual([1, "pending"])
        const second = await transmit(id)
        // If the provider may still process the first request, the request is not repeated immediately.
        if (isAsked && fault === "reset_before")
          expect([second, attempts() - before]).toEqual(["NetworkUnavailable", 1])
        if (second !== "done") {
          await elapse(organization_id)
          expect(await transmit(id)).toBe("done")
        }
        await follow(id)
        const isHidden = fault.endsWith("_after")
        expect([held(), (await at(id)).body.data.status]).toEqual([1, taken])
        expect(attempts() - before).toBeLessThanOrEqual(isHidden && isAsked ? 1 : 2)
      }
    )
  })
}

/** A worker submits four documents at a time, so at most four providers can be silent at the same time in one test. */
const at_once_max = 4
const there = counterparts.filter(({ isThere }) => isThere)
const groups = [there.slice(0, at_once_max), there.slice(at_once_max)]
  .filter(({ length }) => length > 0)
  .map((group) => [group.map(({ name }) => name).join(", "), group] as const)

describe("a process that is killed between the answers of all providers and its own records", () => {
  it.each(groups)(
    "loses no document, and none is sent twice: %s",
    async (_, present) => {
      const reached = new Set<string>()
      const killing = Promise.withResolvers<void>()
      const stopped = []
      for (const counterpart of present) {
        counterpart.onStop(() => {
          if (reached.add(counterpart.name).size === present.length) killing.resolve()
        })
        const books = await counterpart.seller()
        stopped.push({ ...counterpart, books, id: (await books.submitted("stopped_after")).id })
      }
      const service = await startService(await app.run(here), { ROLE: "worker", DATA_DIR: app.dataDir })
      await killing.promise
      service.kill("SIGKILL")
      expect(await service.ended).toBe("SIGKILL")
      for (const { attempts, books, id, isAsked, name, taken } of stopped) {
        expect([name, books.held(), (await books.at(id)).body.data.status]).toEqual([name, 1, "pending"])
        const before = attempts()
        await elapse(books.id)
        expect([name, await books.transmit(id)]).toEqual([name, "done"])
        await books.follow(id)
        expect([name, books.held(), (await books.at(id)).body.data.status]).toEqual([name, 1, taken])
        expect(attempts() - before).toBeLessThanOrEqual(isAsked ? 0 : 1)
      }
    },
    200_000
  )
})
