import { once } from "node:events"
import { createServer } from "node:http"
import { expect, it } from "vitest"
import { freePort } from "../support/counterparts/FreePort.ts"
import { runCommand } from "./CommandLine.ts"

it.each([502, 503, 504])("npm run admin says after %i that the service is unavailable now", async (status) => {
  const port = await freePort()
  const proxy = createServer((_, answer) => answer.writeHead(status).end()).listen(port, "127.0.0.1")
  await once(proxy, "listening")
  const settings = { ADMIN_TOKEN: "adm_of-this-test", PUBLIC_URL: `http://127.0.0.1:${port}` }
  const { failure, stdout } = await runCommand(["organization", "list"], settings)
  proxy.close()
  expect(stdout).toBe("")
  expect(failure).toContain(`http://127.0.0.1:${port} is unavailable now. Try again in a minute.`)
})
