import { describe, expect, it } from "vitest"
import { assignedBy } from "../../../src/einvoicing/sdi/SdiMailbox.ts"

const sender = "sdi01@pec.fatturapa.it"
const assigned = (text: string) => assignedBy({ kind: "envelope", sender, text, files: [] }, sender)

describe("the address for further files", () => {
  it("is the one that the first receipt names, or else that of its sender", () => {
    expect(assigned("Scrivere a help@example.it o a SDI07@pec.fatturapa.it.")).toBe("sdi07@pec.fatturapa.it")
    expect(assigned(`Scrivere a ${sender}.`)).toBe(sender)
  })

  it.each(["a", "a@", "a@.", "@", "."])("is found in time in a text of many %s", (part) => {
    const start = performance.now()
    expect(assigned(part.repeat(300_000 / part.length))).toBe(sender)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
