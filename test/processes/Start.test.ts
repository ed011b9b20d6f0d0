import { Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:net"
import { describe, expect, inject, it } from "vitest"
import { freePort } from "../support/FreePort.ts"
import { startService } from "../support/Service.ts"

/** A server that is there, and a database that is not: nothing is written however far a start comes. */
const missing = () => {
  const server = inject("postgres")
  return { ...server, database: "missing", password: Redacted.make(server.password) }
}

const refusalOf = async (variables: Record<string, string>) => {
  const { ended, listening, output } = await startService(missing(), variables)
  const started = await listening.then(
    () => true,
    () => false
  )
  return { code: await ended, started, lines: output().split("\n") }
}

describe("a start that cannot succeed ends with one sentence and code 1", () => {
  it.each([
    ["a number that is none", { PORT: "abc" }, "PORT is invalid: "],
    [
      "a mail server that is none",
      { SMTP_URL: "mail.example.com:25" },
      "SMTP_URL is invalid: must be smtp://host:port"
    ],
    [
      "a worker without its database server",
      { ROLE: "worker", DATABASE_URL: "postgres://a:b@127.0.0.1:1/x" },
      "The database x on 127.0.0.1:1"
    ]
  ])(
    "%s",
    async (_name, variables, sentence) => {
      const { code, lines, started } = await refusalOf(variables)
      expect([code, started, lines.length]).toEqual([1, false, 1])
      expect(lines[0]).toContain(`Not started. ${sentence}`)
      expect(lines[0]).not.toContain(inject("postgres").password)
    },
    200_000
  )
})

it("a start on a port that another program has ends with one sentence, before the database is asked", async () => {
  const other = createServer((socket) => socket.destroy())
  const port = await freePort()
  other.listen(port, "127.0.0.1")
  await once(other, "listening")
  const { code, lines, started } = await refusalOf({ PORT: String(port) })
  other.close()
  expect([code, started, lines.length]).toEqual([1, false, 1])
  expect(lines[0]).toContain(`Not started. PORT ${port} on HOST 127.0.0.1 cannot be used: listen EADDRINUSE`)
}, 200_000)

it.each([
  ["a start", [process.execPath, "src/main.ts"]],
  ["npm", ["npm", "start", "--silent"]]
])(
  "%s that is told to stop while the service waits for the database ends clean, with the service",
  async (_name, command) => {
    const silent = createServer()
    const port = await freePort()
    silent.listen(port, "127.0.0.1")
    const connected = once(silent, "connection")
    const service = await startService({ ...missing(), port }, {}, command)
    const listening = service.listening.catch(() => "never")
    await connected
    service.kill("SIGTERM")
    // Whoever lives on keeps the output open, and says at last that the database did not answer.
    // Some npm pass on what the service ended with, and some the signal.
    expect([0, 143, "SIGTERM"]).toContain(await service.ended)
    expect([service.output(), await listening]).toEqual(["", "never"])
    silent.close()
  },
  200_000
)
