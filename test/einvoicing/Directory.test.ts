import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { magic, participant } from "../support/counterparts/Network.ts"

const app = useApp()
let ours: Awaited<ReturnType<typeof participant>>

beforeAll(async () => {
  ours = await participant(app)
})

const get = (path: string) => ours.call("GET", `/einvoicing${path}`)

const requirements = async (query: string) => (await get(`/identifiers/requirements?${query}`)).body.data

const search = (query: Record<string, string>) =>
  get(`/participants/search?${new URLSearchParams({ country_code: "BE", ...query }).toString()}`)

describe("GET /api/v1/einvoicing/networks and /providers", () => {
  it("name each network with its countries, and who connects to it", async () => {
    const networks = (await get("/networks")).body.data
    expect(networks.map(({ code, model }: { code: string; model: string }) => [code, model])).toEqual([
      ["peppol", "network"],
      ["fr_ctc", "network"],
      ["it_sdi", "clearance"],
      ["es_verifactu", "network"],
      ["pl_ksef", "clearance"],
      ["ro_spv", "clearance"],
      ["mx_cfdi", "clearance"]
    ])
    expect(networks[0]).toEqual({
      code: "peppol",
      name: "Peppol",
      model: "network",
      countries: ["AT", "BE", "CH", "EE", "FI", "IE", "LU", "NL", "DE", "SE", "NO", "DK", "IS", "GR"],
      supported: true,
      unsupported_reason: null
    })
    const reasons = networks.slice(4).map(({ unsupported_reason }: Record<string, string>) => unsupported_reason)
    expect(
      new Set(reasons.map((reason: string) => / is not | are not | does not | cannot | can convert /.test(reason)))
    ).toEqual(new Set([true]))
    const providers = (await get("/providers")).body.data
    expect(providers).toHaveLength(7)
    expect(providers[0]).toMatchObject({
      code: "peppol",
      networks: ["peppol"],
      supports_lookup: true,
      capabilities: ["send", "receive", "lookup"]
    })
    expect(providers[2]).toMatchObject({ code: "it_sdi", supports_lookup: false, capabilities: ["send", "clearance"] })
  })
})

describe("GET /api/v1/einvoicing/identifiers/requirements", () => {
  it("says what a registration in the country needs", async () => {
    const { body, status } = await get("/identifiers/requirements?country_code=BE")
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      country_code: "BE",
      nature: "company",
      provider: "peppol",
      network: "peppol",
      supports_lookup: true,
      model: "network"
    })
    expect(body.data.schemes[0]).toEqual({
      scheme: "0208",
      label: "Belgian enterprise number",
      required: true,
      pattern: String.raw`^[01]\d{9}$`,
      checksum: true,
      example: "0202239951"
    })
    expect(
      body.data.schemes.map(({ required, scheme }: { required: boolean; scheme: string }) => [scheme, required])
    ).toEqual([
      ["0208", true],
      ["9925", false],
      ["0088", false]
    ])
    expect(body.data.registration_fields.required).toContain("legal_name")
  })

  it("says what single countries ask further, and of whom", async () => {
    expect((await requirements("country_code=ES")).registration_fields.required).toContain("es_sii_registered")
    expect((await requirements("country_code=FR")).registration_fields.optional).toContain("annuaire_start_date")
    expect((await requirements("country_code=IT&nature=government")).schemes[0].scheme).toBe("0201")
    expect((await requirements("country_code=IT&nature=individual")).schemes[0].scheme).toBe("0210")
    expect(await requirements("country_code=IT")).toMatchObject({ model: "clearance", supports_lookup: false })
  })

  it.each(["", "?country_code=XX", "?country_code=US", "?country_code=be"])("answers 422 to %j", async (query) => {
    const { body, status } = await get(`/identifiers/requirements${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ["country_code"]])
  })

  it("answers 422 to a nature that there is not", async () => {
    const { body, status } = await get("/identifiers/requirements?country_code=BE&nature=mineral")
    expect([status, Object.keys(body.errors)]).toEqual([422, ["nature"]])
  })

  it("gives examples that can be registered and found", async () => {
    for (const country_code of "BE NL LU DE SE NO DK FI IE AT IS EE CH GR FR".split(" ")) {
      const { schemes } = (await get(`/identifiers/requirements?country_code=${country_code}`)).body.data
      for (const { example, scheme } of schemes) {
        const { register } = await participant(app)
        const { status } = await register({ country_code, identifier_scheme: scheme, identifier_value: example })
        expect([scheme, status]).toEqual([scheme, 201])
        const query = new URLSearchParams({ country_code, identifier_scheme: scheme, identifier_value: example })
        expect([scheme, (await get(`/participants/search?${query.toString()}`)).status]).toEqual([scheme, 200])
      }
    }
  })
})

describe("GET /api/v1/einvoicing/participants/search", () => {
  it("finds participants that the network knows", async () => {
    const other = await participant(app)
    const { identifiers } = await other.enrolled({
      legal_name: "Beta",
      document_types: ["invoice"],
      vat_number: "BE0428759497"
    })
    for (const { identifier, scheme } of identifiers) {
      const { body, status } = await search({ identifier_scheme: scheme, identifier_value: identifier })
      expect([status, body.data]).toEqual([
        200,
        {
          found: true,
          identifier_scheme: scheme,
          identifier_value: identifier,
          name: "Beta",
          country_code: "BE",
          network: "peppol",
          provider: "peppol",
          environment: "sandbox",
          document_types: ["invoice"]
        }
      ])
    }
  })

  it("does not find participants that wait for approval, only send, or are on another network", async () => {
    const waiting = await participant(app)
    const { identifiers } = (await waiting.register({ identifier_value: "0403170701" })).body.data
    const sender = await (await participant(app)).enrolled({ acts_as_receiver: false })
    for (const { identifier } of [identifiers[0], sender.identifiers[0]]) {
      const { body, status } = await search({ identifier_scheme: "0208", identifier_value: identifier })
      expect([status, body.code]).toEqual([404, "not_found"])
    }
    await waiting.approve((await waiting.registration()).body.data.id)
    const found = { identifier_scheme: "0208", identifier_value: "0403170701" }
    expect((await search(found)).status).toBe(200)
    expect((await search({ ...found, country_code: "FR" })).status).toBe(404)
  })

  it("looks for the organization itself if the request names no participant", async () => {
    const self = await participant(app)
    const path = "/einvoicing/participants/search?country_code=BE"
    const { body, status } = await self.call("GET", path)
    expect([status, Object.keys(body.errors)]).toEqual([422, ["identifier_scheme", "identifier_value"]])
    const { identifiers } = await self.enrolled()
    expect((await self.call("GET", path)).body.data.identifier_value).toBe(identifiers[0].identifier)
    expect((await self.call("GET", `${path}&organization_id=${self.id}`)).status).toBe(200)
    expect((await self.call("GET", `${path}&organization_id=${ours.id}`)).status).toBe(404)
  })

  it("answers 503 while the network is down", async () => {
    const { body, status } = await search({ identifier_scheme: "0088", identifier_value: magic.unavailable })
    expect([status, body.code]).toEqual([503, "network_unavailable"])
  })

  it("answers 500 with the id of the request when something is broken here", async () => {
    const known = { identifier_scheme: "0208", identifier_value: "0202239951" }
    await app.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table network_addresses rename to broken`))
    const { body, status } = await search(known)
    await app.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table broken rename to network_addresses`))
    expect([status, body.code, typeof body.request_id]).toEqual([500, "server_error", "string"])
    expect((await search(known)).status).toBe(200)
  })

  it.each([
    [{ identifier_scheme: "0208", identifier_value: "0202239952" }, "validation_failed"],
    [{ identifier_scheme: "0208" }, "validation_failed"],
    [{ identifier_value: "0202239951" }, "validation_failed"],
    [{ country_code: "US" }, "validation_failed"],
    [{ country_code: "IT" }, "lookup_unsupported"],
    [{ country_code: "ES" }, "lookup_unsupported"],
    [{ provider: "fr_ctc" }, "provider_mismatch"],
    [{ provider: "pigeon" }, "validation_failed"]
  ])("answers 422 to %j", async (query, code) => {
    const { body, status } = await search(query)
    expect([status, body.code]).toEqual([422, code])
  })
})
