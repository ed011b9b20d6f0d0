import { createServer } from "node:http"
import { afterAll, expect, it } from "vitest"
import { awaitRoutes } from "../../../../src/platform/http/server/EarlyRequests.ts"
import { freePort } from "../../../support/counterparts/FreePort.ts"

const arrived = Promise.withResolvers<void>()
const server = awaitRoutes(createServer(() => arrived.resolve()))
afterAll(() => void server.close())

it("a request that comes before the routes is answered by them, once, like later requests", async () => {
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const early = fetch(`http://127.0.0.1:${port}/early`)
  await arrived.promise
  const answered: Array<string | undefined> = []
  server.on("request", ({ url }, response) => {
    answered.push(url)
    response.end(url)
  })
  expect(await (await early).text()).toBe("/early")
  expect(await (await fetch(`http://127.0.0.1:${port}/late`)).text()).toBe("/late")
  expect(answered).toEqual(["/early", "/late"])
})
