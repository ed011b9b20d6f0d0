import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/counterparts/FreePort.ts"
import type { Place } from "./Programs.ts"

interface Account {
  readonly username: string
  readonly password: string
}

/**
 * Starts PgBouncer in transaction mode. It ignores the time limits that the service sets for its connections, so they
 * must be set for the PostgreSQL account.
 */
export const startPgbouncer = async (place: Place, server_port: number, { password, username }: Account) => {
  const port = await freePort()
  const users = join(place.folder, "users.txt")
  const config = join(place.folder, "pgbouncer.ini")
  writeFileSync(users, `"${username}" "${password}"\n`)
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${server_port}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${users}`,
    "pool_mode = transaction",
    "max_client_conn = 500",
    "default_pool_size = 40",
    "server_login_retry = 1",
    "ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout",
    ""
  ]
  writeFileSync(config, lines.join("\n"))
  return { port, process: place.start("pgbouncer", [config]) }
}
