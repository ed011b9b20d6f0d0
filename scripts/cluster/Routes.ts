import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../test/support/counterparts/FreePort.ts"
import { type Nodes, password } from "./Nodes.ts"
import { startPgbouncer } from "./Pgbouncer.ts"
import type { Place } from "./Programs.ts"

/** Ways in which the service reaches the primary. */
export const routes = ["hosts", "haproxy", "pgbouncer"] as const
type Route = (typeof routes)[number]

const start_ms = 2_000
const urlTo = (hosts: string, parameters: string) => `postgres://invoicing:${password}@${hosts}/postgres?${parameters}`

/** Starts HAProxy. It asks Patroni which node is the primary, and closes the connections to a former primary. */
const startHaproxy = async (place: Place, { ports, rest_ports }: Nodes) => {
  const port = await freePort()
  const servers = ports.map(
    (port, index) => `  server node-${index + 1} 127.0.0.1:${port} check port ${rest_ports[index]}`
  )
  const config = join(place.folder, "haproxy.cfg")
  const lines = [
    "defaults",
    "  mode tcp",
    "  timeout connect 2s",
    "  timeout client 1h",
    "  timeout server 1h",
    "listen primary",
    `  bind 127.0.0.1:${port}`,
    "  option httpchk GET /primary",
    "  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions",
    ...servers,
    ""
  ]
  writeFileSync(config, lines.join("\n"))
  place.start("haproxy", ["-db", "-f", config])
  return port
}

/** Returns a DATABASE_URL that always leads to the current primary. */
export const databaseUrl = async (place: Place, nodes: Nodes, route: Route) => {
  if (route === "hosts") {
    const hosts = nodes.ports.map((port) => `127.0.0.1:${port}`).join(",")
    return urlTo(hosts, "target_session_attrs=read-write")
  }
  const haproxy_port = await startHaproxy(place, nodes)
  const port =
    route === "haproxy"
      ? haproxy_port
      : (await startPgbouncer(place, haproxy_port, { username: "invoicing", password })).port
  await sleep(start_ms)
  return urlTo(`127.0.0.1:${port}`, route === "pgbouncer" ? "prepare=false" : "")
}
