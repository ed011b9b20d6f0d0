import { Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { type Adapter, adapter, Adapters } from "../../src/einvoicing/providers/Adapter.ts"
import { ConfiguredProviders } from "../../src/einvoicing/providers/connections/ConfiguredProviders.ts"
import { Connections } from "../../src/einvoicing/providers/connections/Connections.ts"
import {
  NetworkRefused,
  NetworkUnavailable,
  type Provider,
  Providers
} from "../../src/einvoicing/providers/Provider.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { useApp } from "../support/App.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { movableClock } from "../support/service/MovableClock.ts"
import { participant } from "../support/counterparts/Network.ts"

const app = useApp()

const key = "a secret of the provider"

let accounts = 0

/** A provider that accepts every key except "wrong", and records the key of each request. */
const fakeAdapter = () => {
  const asked: Array<string> = []
  const state: { outage: NetworkUnavailable | null; during: () => void } = { outage: null, during: () => {} }
  const provider = (api_key: string): Provider => {
    const call = Effect.suspend(() => {
      asked.push(api_key)
      state.during()
      return state.outage === null ? Effect.void : Effect.fail(state.outage)
    })
    const check =
      api_key === "wrong" ? Effect.fail(new NetworkRefused({ code: "refused", message: "The key is unknown." })) : call
    const enroll = () => call
    return {
      name: "Fake",
      environment: "production",
      check,
      enroll,
      update: enroll,
      withdraw: enroll,
      submit: () => Effect.never,
      poll: () => Effect.as(call, []),
      arrivals: Stream.drain(Stream.fromEffect(call)),
      confirm: () => call,
      respond: () => Effect.as(call, Option.none())
    }
  }
  const fake = adapter({
    code: "fake",
    network: "peppol",
    name: "Fake",
    settings: Schema.Struct({ api_key: Schema.String, account: Schema.optionalKey(Schema.String) }),
    account: ({ account }) => account ?? `account-${++accounts}`,
    connect: (_, { api_key }) => provider(api_key)
  })
  return { asked, state, fake }
}

const withAdapter = (fake: Adapter) =>
  ConfiguredProviders.pipe(Layer.provideMerge(Connections.layer), Layer.provide(Layer.succeed(Adapters, [fake])))

const opened = async () => {
  const { asked, fake, state } = fakeAdapter()
  const { id, call } = await participant(app)
  const organization_id = OrganizationId.make(id)
  const services = withAdapter(fake)
  const connect = (settings: Readonly<Record<string, string>>, code = "fake") =>
    Connections.use(({ connect }) => connect({ organization_id, adapter: code, settings }, "admin")).pipe(
      Effect.provide(services)
    )
  const ask = () =>
    Providers.use(({ find }) => find(organization_id, "peppol", "production")).pipe(
      Effect.flatMap((found) => Option.getOrThrow(found).poll("1", { number: "1", document_type: "invoice" })),
      Effect.result,
      Effect.provide(services)
    )
  const health = async () => {
    const { data } = (await call("GET", "/einvoicing/providers")).body
    return data.find(({ code }: { code: string }) => code === "peppol").connection
  }
  return { id, organization_id, services, asked, state, connect, ask, health }
}

describe("a connection to a provider", () => {
  it("is sealed, is in the audit chain without its settings, and makes the provider of its organization alone", async () => {
    const { ask, asked, connect, id, services } = await opened()
    const stranger = await participant(app)
    const connection = await app.run(connect({ api_key: key }))
    expect(connection).toMatchObject({
      provider: "peppol",
      adapter: "fake",
      environment: "production",
      last_error: null
    })
    expect(connection.last_exchange_at).not.toBeNull()
    expect(JSON.stringify(connection)).not.toContain(key)
    const [row] = await app.run(
      SqlClient.SqlClient.use((sql) => sql`select * from provider_connections where organization_id = ${id}`)
    )
    expect(JSON.stringify(row)).not.toContain(key)
    const { entries } = await app.run(verifiedAuditLog(id))
    expect(entries.at(-1)).toMatchObject({ action: "einvoicing.provider_connected", actor: "admin" })
    expect(JSON.stringify(entries)).not.toContain(key)

    expect((await app.run(ask()))._tag).toBe("Success")
    expect(asked).toEqual([key, key])
    const foreign = Providers.use(({ find }) => find(OrganizationId.make(stranger.id), "peppol", "production"))
    expect(await app.run(foreign.pipe(Effect.provide(services)))).toEqual(Option.none())
  })

  it("is refused for an unknown adapter, for missing settings and for credentials that the provider refuses", async () => {
    const { connect, id } = await opened()
    const refusals = [connect({ api_key: key }, "other"), connect({}), connect({ api_key: "wrong" })]
    const messages = await Promise.all(refusals.map((refusal) => app.run(Effect.flip(refusal))))
    expect(messages.map(({ message }) => message)).toEqual([
      "The adapter field must be fake.",
      "The api_key field is required.",
      "The provider refuses the connection: The key is unknown."
    ])
    const rows = await app.run(
      SqlClient.SqlClient.use((sql) => sql`select 1 from provider_connections where organization_id = ${id}`)
    )
    expect(rows).toEqual([])
  })

  it("is refused for an account to which another organization is connected, until that connection ends", async () => {
    const [first, second] = [await opened(), await opened()]
    const settings = { api_key: key, account: "company-7" }
    await app.run(first.connect(settings))
    await app.run(first.connect(settings))
    expect(await app.run(Effect.flip(second.connect(settings)))).toMatchObject({
      code: "connection_refused",
      message: "Another organization is connected to this account of the provider."
    })
    expect((await app.run(verifiedAuditLog(second.id))).entries.map(({ action }) => action)).not.toContain(
      "einvoicing.provider_connected"
    )
    const gone = Connections.use(({ disconnect }) =>
      disconnect({ organization_id: first.organization_id, provider: "peppol" }, "admin")
    )
    await app.run(gone.pipe(Effect.provide(first.services)))
    expect(await app.run(second.connect(settings))).toMatchObject({ adapter: "fake" })
  })

  it("reports its health, and makes no request during a pause that the provider requested", async () => {
    const { ask, asked, connect, health, state } = await opened()
    await app.run(connect({ api_key: key }))
    expect(await health()).toMatchObject({ last_error: null, paused_until: null })
    state.outage = new NetworkUnavailable({ message: "Too many requests.", retry_after_seconds: 60 })
    expect((await app.run(ask()))._tag).toBe("Failure")
    expect(await health()).toMatchObject({ last_error: "Too many requests.", paused_until: expect.any(String) })
    const before = asked.length
    state.outage = null
    expect((await app.run(ask()))._tag).toBe("Failure")
    expect(asked).toHaveLength(before)
  })

  it("makes no further request in the work during which the provider requested a pause", async () => {
    const { asked, connect, organization_id, services, state } = await opened()
    await app.run(connect({ api_key: key }))
    state.outage = new NetworkUnavailable({ message: "Too many requests.", retry_after_seconds: 60 })
    const before = asked.length
    const work = Effect.gen(function* () {
      const provider = Option.getOrThrow(yield* (yield* Providers).find(organization_id, "peppol", "production"))
      for (const id of ["1", "2"]) yield* Effect.exit(provider.poll(id, { number: id, document_type: "invoice" }))
    })
    await app.run(work.pipe(Effect.provide(services)))
    expect(asked).toHaveLength(before + 1)
  })

  it("is paused for a minute when the provider was silent for more than half a minute", async () => {
    const { ask, asked, connect, health, state } = await opened()
    await app.run(connect({ api_key: key }))
    const clock = movableClock()
    const answersAfter = (seconds: number) => {
      state.outage = new NetworkUnavailable({ message: "No answer." })
      state.during = () => clock.set(clock.now() + seconds * 1000)
      return app.run(ask().pipe(Effect.provide(clock.layer)))
    }
    await answersAfter(29)
    expect(await health()).toMatchObject({ last_error: "No answer.", paused_until: null })
    await answersAfter(31)
    expect(await health()).toMatchObject({ paused_until: expect.any(String) })
    const before = asked.length
    await app.run(ask())
    expect(asked).toHaveLength(before)
  })

  it("comes after the working ones in periodic work while it fails, and those first that were used longest ago", async () => {
    const books = [await opened(), await opened(), await opened()]
    for (const { connect } of books) await app.run(connect({ api_key: key }))
    const [failing, first, second] = books
    if (failing === undefined || first === undefined || second === undefined) throw new Error("three are opened above")
    await app.inDatabase(`update provider_connections set last_exchange_at = last_exchange_at + interval '1 minute'
      where organization_id = ${first.id}`)
    failing.state.outage = new NetworkUnavailable({ message: "Down." })
    await app.run(failing.ask())
    const listed = await app.run(Connections.use(({ openable }) => openable).pipe(Effect.provide(first.services)))
    const ids = new Set(books.map(({ id }) => id))
    expect(listed.map(({ organization_id }) => Number(organization_id)).filter((id) => ids.has(id))).toEqual([
      second.id,
      first.id,
      failing.id
    ])
  })

  it("can be removed, after which the organization has no provider in production", async () => {
    const { connect, id, organization_id, services } = await opened()
    await app.run(connect({ api_key: key }))
    const gone = Connections.use(({ disconnect }) => disconnect({ organization_id, provider: "peppol" }, "admin"))
    await app.run(gone.pipe(Effect.provide(services)))
    const left = Providers.use((providers) => providers.require(organization_id, "peppol", "production"))
    const error = await app.run(left.pipe(Effect.flip, Effect.provide(services)))
    expect(error.message).toContain("einvoicing connect")
    expect((await app.run(verifiedAuditLog(id))).entries.at(-1)?.action).toBe("einvoicing.provider_disconnected")
  })
})
