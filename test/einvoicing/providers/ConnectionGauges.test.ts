import { Effect, Layer, Metric } from "effect"
import { describe, expect, it } from "vitest"
import { ConnectionGauges } from "../../../src/einvoicing/providers/connections/ConnectionGauges.ts"
import { useApp } from "../../support/App.ts"

const app = useApp()

const at = (time: string | null) => (time === null ? "null" : `now() - interval '${time}'`)

/** Adds a connection with its last success, and with a failure a minute ago if it has one. */
const connection = async (
  provider: string,
  succeeded: string | null,
  error: string | null = "The key has expired."
) => {
  const { id } = await app.organization()
  await app.inDatabase(`
    insert into provider_connections (organization_id, provider, adapter, account, environment, sealed_settings,
      connected_at, updated_at, last_exchange_at, last_error, last_error_at)
    values (${id}, '${provider}', 'fake', 'account ${id}', 'production', '', ${at("3 hours")}, ${at("3 hours")},
      ${at(succeeded)}, ${error === null ? "null" : `'${error}'`}, ${error === null ? "null" : at("1 minute")})`)
  return id
}

const gauges = Effect.map(Metric.snapshot, (metrics) =>
  Object.fromEntries(
    metrics.flatMap(({ attributes, id, state }) =>
      id === "einvoice_connections_failing" && "value" in state ? [[attributes?.["provider"], state.value]] : []
    )
  )
)

describe("the metric of failing connections", () => {
  it("counts by provider those without a success for an hour, except of organizations that moved away", async () => {
    await connection("peppol", "2 hours")
    await connection("peppol", null)
    await connection("peppol", "2 hours", null)
    await connection("it_sdi", "30 minutes")
    const moved = await connection("fr_ctc", "2 hours")
    await app.inDatabase(`update organizations set moved_at = now() where id = ${moved}`)
    const measured = Layer.build(ConnectionGauges).pipe(
      Effect.andThen(Effect.repeat(gauges, { until: (found) => "mx_cfdi" in found })),
      Effect.scoped,
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
    expect(await app.run(measured)).toMatchObject({ peppol: 2, it_sdi: 0, fr_ctc: 0, es_verifactu: 0 })
  })
})
