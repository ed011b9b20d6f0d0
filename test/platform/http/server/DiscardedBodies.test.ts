import { request } from "node:http"
import { expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

const app = useApp()

/** A body that is larger than the service accepts, and than the buffers of a connection. */
const body = Buffer.alloc(6 * 1024 * 1024, " ")

/** Sends the whole body before it reads the answer, as simple clients do. */
const send = () =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length }
    const sent = request(`${app.url}/api/v1/customers`, { agent: false, method: "POST", headers }, (response) => {
      const read = () => response.resume().once("end", () => resolve(response.statusCode))
      if (sent.writableFinished) read()
      else sent.once("finish", read)
    })
    sent.once("error", reject).end(body)
  })

it("a large body that is not needed is read to its end, so that its client sees the answer", async () => {
  expect(await send()).toBe(401)
  expect(await send()).toBe(401)
})
