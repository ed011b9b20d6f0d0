import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { addDays, Day, dayAt, TimeZone } from "../../src/kernel/Calendar.ts"
import { useApp } from "../support/App.ts"
import { digestOf } from "../support/files/Digest.ts"
import { movableClock } from "../support/service/MovableClock.ts"
import { participant } from "../support/counterparts/Network.ts"

const clock = movableClock()
const app = useApp({}, { clock: clock.layer })

const paris = TimeZone.make("Europe/Paris")

const french = { country_code: "FR", identifier_scheme: "FR:CTC", identifier_value: "732829320" }
const mesh = { ...french, identifier_value: "732829320_73282932000074_SERVICE1" }
const routing_code_address = { line1: "1 rue de la Paix", zip: "75002", city: "Paris" }
const spanish = { country_code: "ES", identifier_scheme: "9920", identifier_value: "ESB58378431" }

const refusal = async (changes: object) => {
  const { id, register } = await participant(app)
  const before = await app.run(digestOf(id))
  const { body, status } = await register(changes)
  expect(await app.run(digestOf(id))).toEqual(before)
  return [status, body.code, ...Object.keys(body.errors ?? {})]
}

const accepted = async (changes: object) => {
  const { register } = await participant(app)
  const { body, status } = await register(changes)
  expect([status, body.errors]).toEqual([201, undefined])
  return body.data
}

describe("a registration", () => {
  it.each([
    [{ country_code: "US" }, "country_code"],
    [{ country_code: "XX" }, "country_code"],
    [{ identifier_scheme: "9930", identifier_value: "DE136695976" }, "identifier_scheme"],
    [{ identifier_scheme: "no scheme" }, "identifier_scheme"],
    [{ identifier_value: "0202239952" }, "identifier_value"],
    [{ identifier_value: " " }, "identifier_value"],
    [{ vat_number: "BE0202239952" }, "vat_number"],
    [{ legal_name: "" }, "legal_name"],
    [{ legal_name: undefined }, "legal_name"],
    [{ city: undefined }, "city"],
    [{ postal_code: undefined }, "postal_code"],
    [{ address_line1: null }, "address_line1"],
    [{ document_types: [] }, "document_types"],
    [{ document_types: ["order"] }, "document_types.0"],
    [{ document_types: ["invoice", "invoice"] }, "document_types"],
    [{ acts_as_sender: "maybe" }, "acts_as_sender"]
  ])("is refused for what is wrong with it: %j", async (changes, field) => {
    expect(await refusal(changes)).toEqual([422, "validation_failed", field])
  })

  it("is refused with another provider than the country's", async () => {
    expect(await refusal({ provider: "fr_ctc" })).toEqual([422, "provider_mismatch"])
    expect((await accepted({ provider: "peppol" })).provider).toBe("peppol")
  })

  it("is refused without any role", async () => {
    expect(await refusal({ acts_as_sender: false, acts_as_receiver: false })).toEqual([422, "role_required"])
    expect((await accepted({ acts_as_receiver: false })).roles).toEqual({
      acts_as_sender: true,
      acts_as_receiver: false
    })
  })

  it.each([
    ["NL", "0106", "17001910"],
    ["LU", "9938", "LU15027442"],
    ["DE", "9930", "DE136695976"],
    ["SE", "0007", "5560360793"],
    ["NO", "0192", "923609016"],
    ["DK", "0184", "13585628"],
    ["FI", "0216", "003720774740"],
    ["IE", "9935", "IE6433435F"],
    ["AT", "9914", "ATU13585627"],
    ["BE", "0088", "5412345000013"],
    ["FR", "FR:SIRET", "73282932000074"],
    ["FR", "FR:SIREN", "732829320"]
  ])("in %s is known under %s", async (country_code, identifier_scheme, identifier_value) => {
    const { identifiers, provider, status } = await accepted({ country_code, identifier_scheme, identifier_value })
    expect([status, provider]).toEqual(["pending", country_code === "FR" ? "fr_ctc" : "peppol"])
    expect(identifiers).toMatchObject([{ scheme: identifier_scheme, identifier: identifier_value }])
  })

  it.each([
    ["PL", "9945", "PL8567346215", "pl_ksef"],
    ["RO", "9947", "RO18547290", "ro_spv"],
    ["MX", "MX:RFC", "GODE561231GR8", "mx_cfdi"]
  ])(
    "in %s is reported to the authority immediately",
    async (country_code, identifier_scheme, identifier_value, provider) => {
      expect(await accepted({ country_code, identifier_scheme, identifier_value })).toMatchObject({
        status: "active",
        provider
      })
    }
  )

  it("has its VAT number once", async () => {
    const { identifiers } = await accepted({
      country_code: "DE",
      identifier_scheme: "9930",
      identifier_value: "DE136695976",
      vat_number: "DE136695976"
    })
    expect(identifiers).toHaveLength(1)
  })
})

describe("in the French directory", () => {
  // The two moments are 23:30 on the 14th and 00:30 on the 15th in Paris, but both are on the 14th in UTC.
  it.each([
    ["2027-07-14T21:30:00Z", "2027-07-16"],
    ["2027-07-14T22:30:00Z", "2027-07-17"]
  ])("at %s a line is routable from %s at the earliest", async (moment, earliest) => {
    clock.set(Date.parse(moment))
    expect((await accepted(french)).annuaire_start_date).toBe(earliest)
    const day = Schema.decodeSync(Day)(earliest)
    expect((await accepted({ ...french, annuaire_start_date: day })).annuaire_start_date).toBe(day)
    expect((await accepted({ ...french, annuaire_start_date: addDays(day, 30) })).annuaire_start_date).toBe(
      addDays(day, 30)
    )
    expect(await refusal({ ...french, annuaire_start_date: addDays(day, -1) })).toEqual([
      422,
      "validation_failed",
      "annuaire_start_date"
    ])
  })

  it("the date of any other scheme is ignored", async () => {
    clock.set(Date.parse("2027-07-14T12:00:00Z"))
    const past = addDays(dayAt(Date.parse("2027-07-14T12:00:00Z"), paris), -100)
    expect((await accepted({ annuaire_start_date: past })).annuaire_start_date).toBe(null)
    const siret = { ...french, identifier_scheme: "FR:SIRET", identifier_value: "73282932000074" }
    expect((await accepted({ ...siret, annuaire_start_date: past })).annuaire_start_date).toBe(null)
  })

  it.each([
    [{}, ["routing_code_label", "routing_code_address"]],
    [{ routing_code_label: "Comptabilité" }, ["routing_code_address"]],
    [{ routing_code_label: "", routing_code_address }, ["routing_code_label"]],
    [
      { routing_code_label: "Comptabilité", routing_code_address: { ...routing_code_address, line1: undefined } },
      ["routing_code_address.line1"]
    ],
    [
      { routing_code_label: "Comptabilité", routing_code_address: { ...routing_code_address, zip: undefined } },
      ["routing_code_address.zip"]
    ],
    [
      { routing_code_label: "Comptabilité", routing_code_address: { ...routing_code_address, city: "" } },
      ["routing_code_address.city"]
    ]
  ])("a routing code needs a label and an address, not %j", async (changes, fields) => {
    expect(await refusal({ ...mesh, ...changes })).toEqual([422, "validation_failed", ...fields])
  })

  it("a routing code with both is taken, in France unless it says otherwise", async () => {
    const named = { ...mesh, routing_code_label: "Comptabilité", routing_code_address }
    expect((await accepted(named)).identifiers).toMatchObject([{ identifier: mesh.identifier_value }])
  })

  it("a SIRET of another company is not an address", async () => {
    const foreign = { ...french, identifier_value: "732829320_55208131766522" }
    expect(await refusal(foreign)).toEqual([422, "validation_failed", "identifier_value"])
  })
})

describe("in Spain", () => {
  it("whether the company is in the SII must be said", async () => {
    expect(await refusal(spanish)).toEqual([422, "validation_failed", "es_sii_registered"])
    expect(await accepted({ ...spanish, es_sii_registered: false })).toMatchObject({
      status: "pending",
      es_sii_registered: false,
      es_foral_territory: null
    })
    expect(await accepted({ ...spanish, es_sii_registered: true, es_foral_territory: "gipuzkoa" })).toMatchObject({
      es_sii_registered: true,
      es_foral_territory: "gipuzkoa"
    })
  })

  it("and elsewhere it is ignored", async () => {
    expect(await accepted({ es_sii_registered: true, es_foral_territory: "gipuzkoa" })).toMatchObject({
      es_sii_registered: null,
      es_foral_territory: null
    })
  })
})
