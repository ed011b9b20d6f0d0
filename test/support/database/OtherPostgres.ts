import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../counterparts/FreePort.ts"

const debian = "/usr/lib/postgresql"
const password = "of-this-test"
const polls_max = 600

/** Folder with the programs of the PostgreSQL that the system has, or undefined if it has none. */
export const otherPostgres = (existsSync(debian) ? readdirSync(debian) : [])
  .map((major) => join(debian, major, "bin"))
  .find((folder) => existsSync(join(folder, "initdb")))
if (otherPostgres === undefined) {
  process.stderr.write("No other PostgreSQL is installed: the restore into another version is skipped.\n")
}

/** Runs a server of these programs, with an empty database, until `stop`. PostgreSQL refuses to run as root. */
export const startOtherPostgres = async (programs: string) => {
  const folder = mkdtempSync(join(tmpdir(), "invoicing-other-postgres-"))
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0].split(":").map(Number) ?? []
  const account = process.getuid?.() === 0 && uid !== undefined && gid !== undefined ? { uid, gid } : {}
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid)
  const passwords = join(folder, "password")
  writeFileSync(passwords, password)
  const data = join(folder, "data")
  const options = [
    "--username=invoicing",
    `--pwfile=${passwords}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--no-sync"
  ]
  execFileSync(join(programs, "initdb"), [`--pgdata=${data}`, "--locale=C", ...options], {
    ...account,
    stdio: "ignore",
    cwd: folder
  })
  const port = await freePort()
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"]
  const parameters = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]
  const server = spawn(join(programs, "postgres"), parameters, { ...account, cwd: folder, stdio: "ignore" })
  for (let poll = 0; poll < polls_max && !(await accepts(port)); poll++) await sleep(50)
  return {
    url: `postgres://invoicing:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      server.kill("SIGINT")
      await once(server, "exit")
      rmSync(folder, { recursive: true })
    }
  }
}

const accepts = async (port: number) => {
  const socket = createConnection({ port, host: "127.0.0.1" })
  const answer = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false)
  ]).catch(() => false)
  socket.destroy()
  return answer
}
