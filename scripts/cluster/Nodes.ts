import { Schema } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../test/support/counterparts/FreePort.ts"
import { type Place, postgres_programs } from "./Programs.ts"

export const password = "of-this-run"
const nodes_count = 3
const poll_ms = 200
const healthy_ms_max = 120_000

/** Seconds after which a leader that does not answer is replaced by another node. */
const lease_seconds = 10

interface Node {
  readonly name: string
  readonly port: number
  readonly rest_port: number
  readonly data: string
  readonly config: string
  agent: ChildProcess
}

const Members = Schema.Struct({
  members: Schema.Array(Schema.Struct({ name: Schema.String, role: Schema.String, state: Schema.String }))
})

/** Configuration of Patroni in JSON, which is also valid YAML. */
const configOf = (node: Omit<Node, "agent">, etcd_port: number, folder: string) => ({
  scope: "invoicing",
  name: node.name,
  restapi: { listen: `127.0.0.1:${node.rest_port}`, connect_address: `127.0.0.1:${node.rest_port}` },
  etcd3: { host: `127.0.0.1:${etcd_port}` },
  bootstrap: {
    dcs: {
      ttl: lease_seconds,
      loop_wait: 2,
      retry_timeout: 4,
      master_start_timeout: 0,
      // A commit waits until a standby has stored it. Only such a standby can become the next primary.
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 200, wal_keep_size: "256MB", shared_buffers: "64MB", wal_log_hints: "on" }
      }
    },
    initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }],
    pg_hba: ["host replication all 127.0.0.1/32 scram-sha-256", "host all all 127.0.0.1/32 scram-sha-256"]
  },
  postgresql: {
    listen: `127.0.0.1:${node.port}`,
    connect_address: `127.0.0.1:${node.port}`,
    data_dir: node.data,
    bin_dir: postgres_programs,
    pgpass: join(folder, `${node.name}.pgpass`),
    parameters: { unix_socket_directories: folder, password_encryption: "scram-sha-256" },
    authentication: {
      superuser: { username: "invoicing", password },
      replication: { username: "replication", password }
    }
  }
})

export interface Nodes {
  readonly ports: ReadonlyArray<number>
  /** Ports at which Patroni answers whether its node is the primary. */
  readonly rest_ports: ReadonlyArray<number>
  /** Waits until there is a primary with a synchronous standby, and all other nodes replicate from it. */
  readonly healthy: () => Promise<void>
  /** Kills Patroni and PostgreSQL of the primary, as when its machine fails; returns its name. */
  readonly killPrimary: () => Promise<string>
  readonly restart: (name: string) => void
}

export const startNodes = async (place: Place): Promise<Nodes> => {
  const [etcd_port, peer_port] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${etcd_port}`, `http://127.0.0.1:${peer_port}`]
  const urls = {
    "listen-client": client,
    "advertise-client": client,
    "listen-peer": peer,
    "initial-advertise-peer": peer
  }
  place.start("etcd", [
    `--data-dir=${join(place.folder, "etcd")}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync=true",
    ...Object.entries(urls).map(([name, url]) => `--${name}-urls=${url}`)
  ])
  const start = (config: string) => place.start("patroni", [config])
  const nodes: Array<Node> = []
  for (let number = 1; number <= nodes_count; number++) {
    const name = `node-${number}`
    const facts = { name, port: await freePort(), rest_port: await freePort(), data: join(place.folder, name) }
    const node = { ...facts, config: join(place.folder, `${name}.yml`) }
    writeFileSync(node.config, JSON.stringify(configOf(node, etcd_port, place.folder), undefined, 2))
    nodes.push({ ...node, agent: start(node.config) })
  }

  const members = async () => {
    for (const { rest_port } of nodes) {
      const signal = AbortSignal.timeout(1_000)
      const answer = await fetch(`http://127.0.0.1:${rest_port}/cluster`, { signal }).catch(() => undefined)
      if (answer?.ok === true) return Schema.decodeUnknownSync(Members)(await answer.json()).members
    }
    return []
  }

  const healthy = async () => {
    const deadline = Date.now() + healthy_ms_max
    while (Date.now() < deadline) {
      const found = await members().catch(() => [])
      const roles = found.map(({ role }) => role)
      const all = found.length === nodes_count && found.every(({ state }) => ["running", "streaming"].includes(state))
      if (all && roles.includes("leader") && roles.includes("sync_standby")) return
      await sleep(poll_ms)
    }
    throw new Error(`The cluster is not healthy: ${JSON.stringify(await members())}`)
  }

  const killPrimary = async () => {
    const leader = (await members()).find(({ role }) => role === "leader")
    const node = nodes.find(({ name }) => name === leader?.name)
    if (node === undefined) throw new Error("The cluster has no primary.")
    const [pid] = readFileSync(join(node.data, "postmaster.pid"), "utf8").split("\n", 1)
    const ended = once(node.agent, "exit")
    node.agent.kill("SIGKILL")
    process.kill(Number(pid), "SIGKILL")
    await ended
    return node.name
  }

  const restart = (name: string) => {
    const node = nodes.find((node) => node.name === name)
    if (node !== undefined) node.agent = start(node.config)
  }

  await healthy()
  return {
    ports: nodes.map(({ port }) => port),
    rest_ports: nodes.map(({ rest_port }) => rest_port),
    healthy,
    killPrimary,
    restart
  }
}
