import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../support/counterparts/FreePort.ts"
import { hasNginx, startNginx } from "../../support/counterparts/Nginx.ts"
import { answer_ms_max, ask, jsonOf } from "../Asking.ts"

/** A server that closes the connection without an answer if the path ends with "/cut". */
const server = createServer((message, response) => {
  if (message.url?.endsWith("/cut") === true) message.socket.destroy()
  else response.end("answered")
})
let port = 0
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

describe.skipIf(!hasNginx)("nginx before processes that end connections", () => {
  let proxy: Awaited<ReturnType<typeof startNginx>>
  beforeAll(async () => {
    proxy = await startNginx([port, port])
  })
  afterAll(() => proxy.stop())

  it("answers like the service, with a time to try again, and affects no other request", async () => {
    for (let time = 0; time < 5; time++) {
      const cut = await ask(proxy.url, "POST", "/cut", { body: "{}" })
      expect([cut.status, jsonOf(cut)]).toEqual([
        502,
        { success: false, message: "The service is temporarily unavailable.", code: "unavailable" }
      ])
      expect(cut.headers).toMatchObject({ "retry-after": "2", "content-type": "application/json; charset=utf-8" })
      expect((await ask(proxy.url, "GET", "/")).bytes.toString()).toBe("answered")
    }
  })

  it("keeps secret links out of its log", async () => {
    for (const kind of ["d", "email", "invitations", "reset", "setup"]) {
      expect((await ask(proxy.url, "POST", `/${kind}/secret/cut`, { body: "{}" })).status).toBe(502)
    }
    expect((await ask(proxy.url, "POST", "/other/cut", { body: "{}" })).status).toBe(502)
    await expect.poll(() => proxy.log(), { timeout: answer_ms_max }).toContain("/other/cut")
    expect(proxy.log()).not.toContain("secret")
  })
})

/** With this backlog, the system accepts two connections for a halted process, and then none. */
const backlog = 1
const halted = async () => {
  const port = await freePort()
  const script = `require("node:net").createServer().listen(${port}, "127.0.0.1", ${backlog}, () => console.log(1))`
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  await once(child.stdout, "data")
  child.kill("SIGSTOP")
  const taken = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")]
  await Promise.all(
    taken.map((socket) =>
      once(
        socket.on("error", () => undefined),
        "connect"
      )
    )
  )
  const end = async () => {
    const ended = once(child, "close")
    child.kill("SIGKILL")
    await ended
    taken.forEach((socket) => socket.destroy())
  }
  return { port, end }
}

it.skipIf(!hasNginx)("requests, also a POST, go to the other process if one accepts no connections", async () => {
  const node = await halted()
  const proxy = await startNginx([node.port, port])
  try {
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(proxy.url, "POST", "/", { body: "{}" })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(proxy.log()).toContain("upstream timed out")
  } finally {
    await proxy.stop()
    await node.end()
  }
})
