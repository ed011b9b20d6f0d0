import { describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { movableClock } from "../support/service/MovableClock.ts"
import { magic, participant } from "../support/counterparts/Network.ts"
import { gln, network, transmission } from "./Sent.ts"

const delay_ms = 3_600_000

const clock = movableClock()
const app = useApp({ sandboxNetworkDelaySeconds: delay_ms / 1000 }, { clock: clock.layer })
const { poll, refusal, refused, sender, submit } = network(app)

describe("time on the simulated network", () => {
  it("passes between the messages about a document", async () => {
    const sent = transmission(await sender(), gln(magic.accepted))
    const at = Date.parse((await submit(sent)).at)
    const codesAfter = async (delays: number) => {
      clock.set(at + delays * delay_ms)
      return (await poll(sent)).map(({ code }) => code)
    }
    expect(await codesAfter(0.5)).toEqual([])
    expect(await codesAfter(1.5)).toEqual(["AS4"])
    expect(await codesAfter(2.5)).toEqual(["AS4", "AB"])
    expect(await codesAfter(9)).toEqual(["AS4", "AB", "IP", "AP"])
    expect((await poll(sent)).map((message) => Date.parse(message.at) - at)).toEqual(
      [1, 2, 3, 4].map((n) => n * delay_ms)
    )
  })

  it("frees a number when its document is rejected, not before", async () => {
    const from = await sender()
    const again = () => transmission(from, gln(magic.accepted))
    const at = Date.parse((await submit(transmission(from, gln(magic.rejected)))).at)
    clock.set(at + 2.5 * delay_ms)
    expect(await refusal(again())).toBe("duplicate")
    clock.set(at + 3.5 * delay_ms)
    await submit(again())
  })

  it("opens a line of the French directory on its day", async () => {
    const { call, enrolled } = await participant(app, { country: "FR" })
    const line = { country_code: "FR", identifier_scheme: "FR:CTC", identifier_value: "732829320" }
    const { annuaire_start_date } = await enrolled(line)
    const search = "/einvoicing/participants/search?country_code=FR&identifier_scheme=FR:CTC&identifier_value=732829320"
    const noon = Date.parse(`${annuaire_start_date}T12:00:00Z`)
    clock.set(noon - 24 * delay_ms)
    expect((await call("GET", search)).status).toBe(404)
    const from = await sender({ ...line, identifier_value: "552100554" })
    const sent = () => transmission(from, { scheme: "0225", value: "732829320" })
    expect(await refused(sent(), "fr_ctc")).toMatchObject({
      code: "recipient_unknown",
      message: `The recipient's address can be reached from ${annuaire_start_date} on.`,
      is_until_later: true
    })
    clock.set(noon)
    await submit(sent(), "fr_ctc")
    expect((await call("GET", search)).body.data).toMatchObject({ identifier_scheme: "FR:CTC", network: "fr_ctc" })
  })
})
