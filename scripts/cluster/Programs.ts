import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { childOfTool } from "../Tool.ts"

const postgres_versions = "/usr/lib/postgresql"
const newest = (existsSync(postgres_versions) ? readdirSync(postgres_versions) : []).toSorted().at(-1) ?? "15"

/** Folder of PostgreSQL's programs. */
export const postgres_programs = join(postgres_versions, newest, "bin")

/** Programs of the cluster, with the Debian package of each. */
const packages = {
  etcd: ["/usr/bin/etcd", "etcd-server"],
  patroni: ["/usr/bin/patroni", "patroni"],
  haproxy: ["/usr/sbin/haproxy", "haproxy"],
  pgbouncer: ["/usr/sbin/pgbouncer", "pgbouncer"],
  postgres: [join(postgres_programs, "postgres"), `postgresql-${newest}`]
} as const

/** Returns the Debian packages that are not installed. */
export const missingPackages = () =>
  Object.values(packages).flatMap(([program, name]) => (existsSync(program) ? [] : [name]))

/** PostgreSQL refuses to run as root, so a run of root uses the account that Debian made. */
const accountOfPostgres = () => {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0].split(":").map(Number) ?? []
  if (uid === undefined || gid === undefined) throw new Error("There is no account postgres.")
  return { uid, gid }
}

/** A folder for the files of this run. */
export interface Place {
  readonly folder: string
  readonly start: (program: keyof typeof packages, parameters: ReadonlyArray<string>) => ChildProcess
  readonly remove: () => void
}

/** Makes a folder in which programs run. Each writes its output to a file with its name. */
export const place = (): Place => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-cluster-"))
  const account = accountOfPostgres()
  chmodSync(folder, 0o711)
  if ("uid" in account) chownSync(folder, account.uid, account.gid)
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
