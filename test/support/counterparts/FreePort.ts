import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** The ports are below those that operating systems assign, so no other program gets one before the test uses it. */
const port_min = 20_000
const ports_per_worker = 500
const workers_max = 24
const attempts_max = 100

/** The first port of this worker. Each worker of a test run has its own ports, so that two never take the same one. */
const first = port_min + ports_per_worker * (Number(process.env["VITEST_POOL_ID"] ?? 0) % workers_max)

export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attempts_max; attempt++) {
    const port = first + randomInt(ports_per_worker)
    if (await isFree(port)) return port
  }
  throw new Error("Every port that was tried is taken.")
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
