import { Agent, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

const app = useApp()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

/** The pause is longer than the service waits for the rest of an endless body. */
const pause_ms = 1_500

/** Sends a body in two pieces, the second one after the answer to the first. */
const answeredEarly = (length: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { "content-type": "application/json", ...length }
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
  expect(await answeredEarly({ "content-length": "2" })).toBe(401)
  expect(await live()).toEqual({ status: 200, reused: true })
  await sleep(pause_ms)
  expect(await live()).toEqual({ status: 200, reused: true })
})

it("a connection whose body of unknown length was answered early carries none, and the answer says so", async () => {
  for (let time = 0; time < 5; time++) {
    expect(await answeredEarly({ "transfer-encoding": "chunked" })).toBe(401)
    expect(await live()).toEqual({ status: 200, reused: false })
  }
})
