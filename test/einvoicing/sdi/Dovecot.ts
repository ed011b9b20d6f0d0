import { spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../support/counterparts/FreePort.ts"

/** Dovecot may be in a folder that is not on every account's path. */
const PATH = `${process.env["PATH"]}:/usr/sbin`

/** True if Dovecot is installed and can be started, which requires root. Otherwise, tests over IMAP are skipped. */
export const hasDovecot =
  process.getuid?.() === 0 && spawnSync("dovecot", ["--version"], { env: { PATH } }).status === 0
if (!hasDovecot)
  process.stderr.write("No Dovecot is installed, or not for root: tests of certified mail are skipped.\n")

const start_ms_max = 60_000
const probe_interval_ms = 20

const configuration = (folder: string, port: number, password: string) => `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/base
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
maildir_very_dirty_syncs = no
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}/mail/%u
}
first_valid_uid = 1
first_valid_gid = 1
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`

/** Starts Dovecot as Debian packages it: an IMAP server with a mailbox for each user, into which the tests deliver. */
export const dovecot = async (password: string) => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), "invoicing-dovecot-"))
  for (const name of ["base", "state", "mail"]) mkdirSync(join(folder, name))
  // The mailboxes belong to the account that Dovecot gives its processes.
  for (const path of [folder, join(folder, "mail")]) chmodSync(path, 0o777)
  const file = join(folder, "dovecot.conf")
  writeFileSync(file, configuration(folder, port, password))
  let child = run(file)
  await greeted(port)

  let delivered = 0
  const box = (user: string) => join(folder, "mail", user)
  const deliver = (user: string, raw: string | Uint8Array) => {
    for (const path of ["", "tmp", "new", "cur"].map((name) => join(box(user), name))) {
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o777)
    }
    // Dovecot numbers new mail by the first number of the file name, which must fit into 32 bits.
    const name = `${++delivered}.${randomUUID()}.test`
    const written = join(box(user), "tmp", name)
    writeFileSync(written, raw)
    chmodSync(written, 0o666)
    renameSync(written, join(box(user), "new", name))
  }

  return {
    port,
    deliver,
    /** Makes the server forget the numbers of its messages, so that UIDVALIDITY changes. */
    renumber: (user: string) => {
      for (const name of readdirSync(box(user))) if (name.startsWith("dovecot")) unlinkSync(join(box(user), name))
    },
    count: (user: string) => ["new", "cur"].flatMap((name) => readdirSync(join(box(user), name))).length,
    stop: () => stopped(child),
    start: async () => {
      child = run(file)
      await greeted(port)
    },
    close: async () => {
      await stopped(child)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

const run = (file: string) => spawn("dovecot", ["-F", "-c", file], { env: { PATH }, stdio: "ignore" })

const stopped = async (child: ReturnType<typeof run>) => {
  const ended = once(child, "close")
  child.kill("SIGTERM")
  await ended
}

/** Waits until the server greets a client. */
const greeted = async (port: number) => {
  for (const deadline = Date.now() + start_ms_max; Date.now() < deadline; await sleep(probe_interval_ms)) {
    const socket = createConnection(port, "127.0.0.1")
    const greeting = await once(socket, "data").then(String, () => "")
    socket.destroy()
    if (greeting.startsWith("* OK")) return
  }
  throw new Error("Dovecot did not start.")
}
