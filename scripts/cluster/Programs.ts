import { Struct } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { childOfTool } from "../support/Tool.ts"

const postgres_versions = "/usr/lib/postgresql"
const newest = (existsSync(postgres_versions) ? readdirSync(postgres_versions) : []).toSorted().at(-1) ?? "15"

export const postgres_programs = join(postgres_versions, newest, "bin")

/** Programs of the cluster, with the Debian package of each. */
const packages = {
  etcd: ["/usr/bin/etcd", "etcd-server"],
  patroni: ["/usr/bin/patroni", "patroni"],
  haproxy: ["/usr/sbin/haproxy", "haproxy"],
  pgbouncer: ["/usr/sbin/pgbouncer", "pgbouncer"],
  postgres: [join(postgres_programs, "postgres"), `postgresql-${newest}`]
} as const

type Program = keyof typeof packages
const all = Struct.keys(packages)

export const missingPackages = (programs: ReadonlyArray<Program> = all) =>
  programs.flatMap((program) => (existsSync(packages[program][0]) ? [] : [packages[program][1]]))

/** The account under which PostgreSQL runs: it refuses to run as root, so root uses the account that Debian created. */
const accountOfPostgres = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0].split(":").map(Number) ?? []
  if (uid === undefined || gid === undefined) throw new Error("There is no account postgres.")
  return { uid, gid }
}

export interface Place {
  readonly folder: string
  readonly start: (program: Program, parameters: ReadonlyArray<string>) => ChildProcess
  readonly remove: () => void
}

/** Creates a folder in which programs run. Each writes its output to a file named after it. */
export const place = (): Place => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-cluster-"))
  const account = accountOfPostgres()
  chmodSync(folder, 0o711)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  return {
    folder,
    start: (program, parameters) => {
      const log = openSync(join(folder, `${program}.log`), "a")
      const stdio = ["ignore" as const, log, log]
      const env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" }
      return childOfTool(spawn(packages[program][0], parameters, { ...account, cwd: folder, stdio, env }))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
