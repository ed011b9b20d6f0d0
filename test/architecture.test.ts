/** Checks the dependencies between files, and finds forbidden texts. To change a rule, edit the data at the top. */
import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

/** Contexts that each context may call, as an acyclic graph from the lowest context to the highest. */
const uses: Readonly<Record<string, ReadonlyArray<string>>> = {
  identity: [],
  organizations: ["identity"],
  operations: ["organizations"],
  customers: [],
  archive: [],
  billing: ["customers", "organizations", "archive"],
  expenses: ["archive", "billing", "organizations"],
  banking: ["billing", "expenses", "customers", "organizations", "operations"],
  einvoicing: ["archive", "billing", "customers", "expenses", "organizations"],
  webhooks: ["identity", "organizations", "customers", "billing", "einvoicing", "expenses", "banking"],
  batch: ["customers", "billing", "einvoicing", "expenses", "webhooks", "operations"],
  reports: ["customers", "billing", "expenses", "banking"],
  reference: [],
  docs: ["reference"],
  demo: ["identity", "organizations", "customers", "billing", "expenses", "banking"],
  administration: [
    "identity",
    "organizations",
    "archive",
    "billing",
    "expenses",
    "banking",
    "einvoicing",
    "webhooks",
    "demo"
  ]
}

/** Tables and views that the SQL statements of every context may use. */
const published = [
  "credentials",
  "revoked_tokens",
  "standing_access",
  "people",
  "applications",
  "debtors",
  "clocks",
  "moved_organizations",
  "letterheads",
  "receivables",
  "recorded_payments",
  "received_payments",
  "recorded_expenses",
  "recorded_refunds",
  "payables",
  "refundable_notes",
  "supplier_credits",
  "customer_identifiers",
  "vendors",
  "quotable_invoices",
  "quotable_expenses",
  "paid_expenses",
  "untaxed_expenses",
  "documented_customers",
  "billed_lines"
]

const missing_keys = "A start says which keys of stored secrets are missing."

/** SQL statements that use a table of another context on purpose, each with the reason. */
const crossings = new Map([
  ["src/administration/setup/SealedSecretsRepo.ts webhooks", missing_keys],
  ["src/administration/setup/SealedSecretsRepo.ts archive_proofs", "A start says that a signing key is missing."],
  ["src/administration/setup/SealedSecretsRepo.ts provider_connections", missing_keys],
  ["src/administration/setup/SealedSecretsRepo.ts second_factors", missing_keys],
  [
    "src/organizations/profile/OrganizationsRepo.ts document_counters",
    "A setting of the organization may not be below the number of the next invoice."
  ],
  ["src/organizations/access/GateRepo.ts rate_windows", "One round trip admits a request: token, member and rate."],
  ["src/expenses/receipts/reading/OwnAccountsRepo.ts bank_accounts", "Their numbers do not identify a vendor."],
  ["src/banking/refreshes/SuggestionRefreshesRepo.ts journals", "A longer audit chain means that documents changed."],
  ["src/banking/refreshes/SuggestionRefreshesRepo.ts audit_entries", "New entries show whether any document changed."],
  ["src/webhooks/subscriptions/WebhooksRepo.ts outbox", "A webhook receives the events after its creation."],
  ["src/webhooks/events/EventsRepo.ts outbox", "Clients can read the events of webhooks again."],
  ["src/webhooks/deliveries/DeliveriesRepo.ts outbox", "One statement makes deliveries of events, exactly once."]
])

const privateRoles = /(Repo|Http|Worker|Queue|Page|Api)\.ts$/
const serverOnly = /^(node:|@effect\/|effect\/sql|effect\/persistence)/
/** A program that imports the contract must not load any file of these folders. */
const unneeded = /\/receipts\/(reading|extraction|fields|taxes|scan)\//
const lines_max = 300
const files_per_folder_max = 12
/** Folders that may hold any number of files, each of which stands for itself: a shared type, or a country. */
const catalogues = ["src/kernel", "src/einvoicing/countries"]

/** Files that must use the service's clock, settings and HTTP client. The API client runs in other programs. */
const inside = /^src\/(?!platform\/|client\/|main\.ts)/

/** Forbidden text, the files to which the rule applies, and the alternative. */
const forbidden = [
  { what: /\b(TODO|FIXME)\b/, where: /./, instead: "do it or leave it out" },
  { what: /\b(it|describe|test|layer)\.(skip|only|todo)\b/, where: /^test\//, instead: "run every test" },
  { what: /\bconsole\./, where: inside, instead: "Effect.log" },
  { what: /\bnew Date\(|\bDate\.now\b/, where: inside, instead: "kernel/Calendar.ts" },
  { what: /\bMath\.random\b|\bcrypto\.(?:random|get|subtle)/, where: inside, instead: "platform/crypto, SecureRandom" },
  { what: /\bprocess\.env\b/, where: inside, instead: "AppConfig" },
  { what: /(?<![.\w])fetch\(/, where: inside, instead: "HttpClient" }
]

/** Exports without an import: some are imported dynamically, others are for users of the client or only compiled. */
const exported =
  /OpenTelemetry\.ts openTelemetry$|\/Process\.ts Process$|\/Package\.ts buildPackage$|\/EffectClient\.ts |\.test-d\.ts /

/** A type assertion, but neither `as const`, nor a renamed import, nor a mapped type. */
const assertion =
  /(?<! in \w+) as (?:[{[]|(?:unknown|never|object|boolean|string|typeof|keyof|readonly|[A-Z]\w*)\b(?!,?$))|\bsql<(?!Listed>)/
/** A comment `Boundary:` may explain several assertions in the following lines. */
const boundary_lines_max = 7

/** The types of the OpenAPI document are left out, because they are generated. */
const files = globSync("{src,test,scripts}/**/*.ts").filter((file) => file !== "src/client/openapi.d.ts")
const textOf = new Map(files.map((file) => [file, readFileSync(file, "utf8")]))
const sources = [...textOf].filter(([file]) => file.startsWith("src/"))

const importsOf = ([from, text]: readonly [string, string]) =>
  [...text.matchAll(/^(?:import|export)\s+(type\s)?([^"']*?)from\s+"([^"]+)"/gm)].map(
    ([, type, names = "", to = ""]) => ({
      from,
      names,
      typeOnly: type !== undefined,
      to: to.startsWith(".") ? join(dirname(from), to) : to
    })
  )
const imports = sources.flatMap(importsOf)
type Import = (typeof imports)[number]

const area = (path: string) => path.split("/")[1] ?? ""
const isLocal = (path: string) => path.startsWith("src/")
const isRoot = (path: string) => path.split("/").length === 2
/** Files that only put the parts of a context together. */
const isComposition = (path: string) => /(Layer|AdministrationPages|ConfiguredProviders)\.ts$/.test(path)
const isMachine = ({ from }: Import) => area(from) === "platform" || /^src\/(?:main|Process)\.ts$/.test(from)
const isUpwards = ({ from, to }: Import) => {
  // The client is a program of its own, built on the contract; nothing of the service imports it.
  if (isLocal(to) && area(to) === "client") return area(from) !== "client"
  if (!isLocal(to) || isRoot(from) || area(from) === "client") return false
  const [own, target] = [area(from), area(to)]
  if (own === target || target === "kernel") return false
  if (own === "kernel") return true
  if (target === "platform") return false
  return own === "platform" || uses[own]?.includes(target) !== true
}
const isForeign = ({ from, to }: Import) => isLocal(to) && !isRoot(from) && area(from) !== area(to) && area(to) in uses
const isRepo = ({ from, to }: Import) => from.endsWith("Repo.ts") && /^(effect\/sql|@effect\/sql-pg)/.test(to)
const broken = (rule: (edge: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`)

describe("src", () => {
  it("imports only downwards: main, contexts, platform, kernel", () => {
    expect(broken(isUpwards)).toEqual([])
  })

  it("names no context that another one may call, but does not", () => {
    const used = new Set(imports.map(({ from, to }) => `${area(from)} ${area(to)}`))
    const edges = Object.entries(uses).flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`))
    expect(edges.filter((edge) => !used.has(edge))).toEqual([])
  })

  it("reaches another context only through its models, errors and services", () => {
    expect(broken((edge) => isForeign(edge) && privateRoles.test(edge.to))).toEqual([])
  })

  it("uses SQL only in repositories, and the operating system only in the platform", () => {
    expect(broken((edge) => serverOnly.test(edge.to) && !isMachine(edge) && !isRepo(edge))).toEqual([])
  })

  it("imports only the types of packages that are loaded at their first use", () => {
    const late = imports.filter(({ from }) => from.endsWith("/AtFirstUse.ts")).map(({ to }) => to)
    expect(late).toContain("imapflow")
    expect(broken(({ to, typeOnly }) => late.includes(to) && !to.startsWith("node:") && !typeOnly)).toEqual([])
  })

  it("lets no two folders import each other", () => {
    const arrows = new Set(
      imports.flatMap(({ from, to }) => {
        const isArrow = isLocal(to) && dirname(from) !== dirname(to) && !isRoot(from) && !isComposition(from)
        return isArrow ? [`${dirname(from)} -> ${dirname(to)}`] : []
      })
    )
    const mutual = [...arrows].filter((arrow) => {
      const [from = "", to = ""] = arrow.split(" -> ")
      return from < to && arrows.has(`${to} -> ${from}`)
    })
    expect(mutual).toEqual([])
  })

  it("keeps repositories behind their service", () => {
    expect(broken(({ from, to }) => to.endsWith("Repo.ts") && /(Http|Worker|Page|Api)\.ts$/.test(from))).toEqual([])
  })

  it("lets each table be named by its owner only; reports may read them all", () => {
    const owners = new Map<string, string>()
    const migrations = globSync("migrations/*.sql").map((file) => readFileSync(file, "utf8"))
    for (const text of migrations.flatMap((file) => file.split(/^-- context: /m))) {
      const owner = /^\w+/.exec(text)?.[0] ?? ""
      for (const [, table = ""] of text.matchAll(/^create (?:unlogged )?(?:table|view) (\w+)/gm))
        owners.set(table, owner)
    }
    const isAllowed = (file: string, table: string) =>
      owners.get(table) === area(file) || area(file) === "reports" || published.includes(table)
    const trespasses = sources.flatMap(([file, text]) =>
      [...text.matchAll(/(?:\b(?:from|into|update|join)\s+|auditedTable\("|purge\(\s*sql,\s*")([a-z_]+)\b/g)].flatMap(
        ([, table = ""]) =>
          owners.has(table) && file.endsWith("Repo.ts") && !isAllowed(file, table) ? [`${file} ${table}`] : []
      )
    )
    expect(new Set(trespasses)).toEqual(new Set(crossings.keys()))
  })

  it("lets a client import the contract without any server code", () => {
    const reached = new Set(["src/client/Invoicing.ts", "src/client/effect/EffectClient.ts", "src/Api.ts"])
    for (const file of reached) {
      for (const edge of imports) {
        if (edge.from !== file || edge.typeOnly) continue
        expect(edge.to, `${file} -> ${edge.to}`).not.toMatch(serverOnly)
        expect(edge.names, `${file} builds a layer, so it is server code`).not.toMatch(/\bLayer\b/)
        if (isLocal(edge.to)) reached.add(edge.to)
      }
    }
    expect(reached.size).toBeGreaterThan(20)
    expect([...reached].filter((file) => unneeded.test(file))).toEqual([])
  })
})

describe("every file", () => {
  it("exports nothing that no file imports", () => {
    const imported = new Set(
      [...textOf]
        .flatMap(importsOf)
        .flatMap(({ names, to }) => (names.match(/\w+|\*/g) ?? []).map((name) => `${to} ${name}`))
    )
    const unused = [...textOf].flatMap(([file, text]) =>
      [...text.matchAll(/^export (?:abstract )?(?:const|class|function|interface|type) (\w+)/gm)].flatMap(
        ([, name = ""]) =>
          imported.has(`${file} ${name}`) || imported.has(`${file} *`) || exported.test(`${file} ${name}`)
            ? []
            : [`${file} ${name}`]
      )
    )
    expect(unused).toEqual([])
  })

  it("holds nothing that is forbidden", () => {
    const found = [...textOf].flatMap(([file, text]) =>
      forbidden.flatMap(({ instead, what, where }) =>
        where.test(file) && file !== "test/architecture.test.ts" && what.test(text) ? [`${file}: ${instead}`] : []
      )
    )
    expect(found).toEqual([])
  })

  it("says at each type assertion of the sources why it is correct", () => {
    const unexplained = sources.flatMap(([file, text]) => {
      const lines = text.split("\n")
      return lines.flatMap((line, index) => {
        const code = line.replaceAll(/"[^"]*"|`[^`]*`/g, "")
        if (!assertion.test(code) || /^\s*(?:\*|\/)|^(?:import|export)\b/.test(line)) return []
        const above = lines.slice(Math.max(0, index - boundary_lines_max), index)
        return above.some((each) => each.includes("Boundary:")) ? [] : [`${file}:${index + 1}`]
      })
    })
    expect(unexplained).toEqual([])
  })

  it("is not an index file and has at most 300 lines", () => {
    expect(files.filter((file) => basename(file) === "index.ts")).toEqual([])
    const long = [...textOf].filter(([, text]) => text.trimEnd().split("\n").length > lines_max)
    expect(long.map(([file]) => file)).toEqual([])
  })

  it("shares its folder with few others, so that a reader sees what the folder is for", () => {
    const folders = Map.groupBy(
      files.filter((file) => !catalogues.includes(dirname(file))),
      dirname
    )
    const full = [...folders].filter(([, inside]) => inside.length > files_per_folder_max)
    expect(full.map(([folder]) => folder)).toEqual([])
  })
})

describe("ARCHITECTURE.md", () => {
  it("gives the reason for each package that the service installs, and for no other", () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"))
    const installed = Object.keys({ ...dependencies, ...optionalDependencies })
    const [table = ""] = /^\| Package \|.*\n(?:\|.*\n)+/m.exec(readFileSync("ARCHITECTURE.md", "utf8")) ?? []
    const rows = table.split("\n").flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)])
    const named = rows.map(([, name = ""]) => new RegExp(`^${name.replace("*", ".+")}$`))
    expect(installed.filter((name) => !named.some((pattern) => pattern.test(name)))).toEqual([])
    expect(named.filter((pattern) => !installed.some((name) => pattern.test(name)))).toEqual([])
  })
})
