import { describe, expect, it } from "vitest"
import { EinvoiceStatus } from "../../../src/einvoicing/documents/Einvoice.ts"
import { advanced, milestones } from "../../../src/einvoicing/transmissions/Progress.ts"

/** Returns the events of a submission that goes through these statuses. */
const told = (...path: ReadonlyArray<(typeof EinvoiceStatus)["Type"]>) =>
  path.slice(1).flatMap((after, index) => milestones(path[index] ?? after, after).map(({ type }) => type))

describe("a submission's status", () => {
  it("only goes forward, and does not fail once it is with its receiver", () => {
    expect(advanced("pending", "sent")).toBe("sent")
    expect(advanced("delivered", "sent")).toBe("delivered")
    expect(advanced("sent", null)).toBe("sent")
    expect(advanced("sent", "failed")).toBe("failed")
    expect(advanced("delivered", "failed")).toBe("delivered")
    expect(advanced("delivered", "rejected")).toBe("rejected")
    for (const news of EinvoiceStatus.literals) {
      expect([advanced("accepted", news), advanced("rejected", news), advanced("failed", news)]).toEqual([
        "accepted",
        "rejected",
        "failed"
      ])
    }
  })

  it("is announced at each step, also at those that the network's answers skip, and never twice", () => {
    const arrived = ["einvoice.sent", "einvoice.delivered"]
    expect(told("pending", "submitted")).toEqual([])
    expect(told("submitted", "delivered")).toEqual(arrived)
    expect(told("pending", "accepted")).toEqual(arrived)
    expect(told("pending", "submitted", "sent", "delivered", "accepted")).toEqual(arrived)
    expect(told("sent", "rejected")).toEqual(["einvoice.failed"])
    expect(told("submitted", "failed", "failed")).toEqual(["einvoice.failed"])
  })
})
