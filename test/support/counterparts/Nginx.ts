import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "./FreePort.ts"
import { probe } from "../service/Process.ts"

/** nginx may be in a folder that is not on every account's path. */
const PATH = `${process.env["PATH"]}:/usr/sbin`

/** False without nginx, and on systems other than Linux, which have a single loopback address. */
export const hasNginx = process.platform === "linux" && spawnSync("nginx", ["-v"], { env: { PATH } }).status === 0
if (!hasNginx) process.stderr.write("No nginx is installed: tests of the proxy are skipped.\n")

const start_ms_max = 60_000
const probe_interval_ms = 50

/** Loopback address that simulates another proxy in front of nginx. */
export const outer_proxy = "127.0.0.2"

/**
 * Adapts the product's nginx.conf to this machine: removes the name server of containers and sets ports and folders.
 */
const configured = (folder: string, port: number, nodes: readonly [number, number]) => {
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  const paths = folders.map((name) => `${name}_temp_path ${join(folder, name)};`).join(" ")
  return readFileSync("scripts/proxy/nginx.conf", "utf8")
    .replace(/^http \{/m, `pid ${join(folder, "pid")};\nhttp {\n${paths}`)
    .replace(/^ *resolver .*\n/m, "")
    .replace("server api-1:3000 resolve", `server 127.0.0.1:${nodes[0]}`)
    .replace("server api-2:3000 resolve", `server 127.0.0.1:${nodes[1]}`)
    .replace("listen 3000;", `listen 127.0.0.1:${port};`)
    .replace("set_real_ip_from 172.31.42.1;", `set_real_ip_from ${outer_proxy};`)
}

/** Starts the shipped nginx in front of two processes of the service. */
export const startNginx = async (nodes: readonly [number, number]) => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), "invoicing-nginx-"))
  // The folder must be open to the account that nginx's workers get when it is started as root.
  chmodSync(folder, 0o711)
  const file = join(folder, "nginx.conf")
  writeFileSync(file, configured(folder, port, nodes))
  const parameters = ["-e", "stderr", "-p", folder, "-c", file, "-g", "daemon off;"]
  const child = spawn("nginx", parameters, { env: { PATH }, stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  child.stderr.on("data", (chunk) => (log += String(chunk)))
  const ended = once(child, "close")
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const deadline = Date.now() + start_ms_max
  while ((await probe(url)) === undefined) {
    if (child.exitCode === null && Date.now() < deadline) await sleep(probe_interval_ms)
    else {
      await stop()
      throw new Error(`nginx did not start: ${log}`)
    }
  }
  return { url, port, log: () => log, stop }
}
