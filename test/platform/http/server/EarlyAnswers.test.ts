import { Agent, request } from "node:http"
import { afterAll, expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

const app = useApp()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

/** Longer than a body without an end is waited for. */
const pause_ms = 1_500

/** Sends a body in two pieces, the second one after the answer to the first. */
const answeredEarly = () =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" }
    const sent = request(`${app.url}/api/v1/customers`, { agent, method: "POST", headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode))
      sent.end("}")
    })
    sent.once("error", reject)
    sent.write("{")
  })

const live = () =>
  new Promise<{ readonly status: number | undefined; readonly reused: boolean }>((resolve, reject) => {
    const sent = request(`${app.url}/health/live`, { agent }, (response) => {
      response.resume().once("end", () => resolve({ status: response.statusCode, reused: sent.reusedSocket }))
    })
    sent.once("error", reject).end()
  })

it("a connection whose body was answered before its end carries the requests that follow", async () => {
  expect(await answeredEarly()).toBe(401)
  expect(await live()).toEqual({ status: 200, reused: true })
  await new Promise((resolve) => setTimeout(resolve, pause_ms))
  expect(await live()).toEqual({ status: 200, reused: true })
})
