import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import Dns from "node:dns"
import { request } from "node:http"
import { BlockList, isIP, Socket } from "node:net"
import type { Resolver } from "node:dns/promises"
import { onTestFinished } from "vitest"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { hostile_hosts } from "./HostileTargets.ts"
import { nameServer } from "./NameServer.ts"
import { outbound, post, receiver, response } from "./Receivers.ts"

const attempts_at_once = 32
const unreachable = "The target could not be reached."
/** A global unicast address that IANA has not assigned. */
const nobody = "2d00::1"
const unsent = new BlockList()
unsent.addAddress(nobody, "ipv6")

const insecure = { WEBHOOKS_ALLOW_HTTP: "true" }
const greeting = (socket: Socket) => void socket.write(response("internal"))
const reasonOf = (url: string, time_limit?: number) =>
  Effect.match(post(url, time_limit), { onFailure: ({ reason }) => reason, onSuccess: ({ body }) => body })

/**
 * Records every address that this process tries at a port. Connections to `nobody`, the address of no host, are
 * blocked.
 */
const observedConnections = Effect.fnUntraced(function* (observed_port: number) {
  const tried: Array<string> = []
  const observe = (message: unknown) => {
    const socket = typeof message === "object" && message !== null && "socket" in message ? message.socket : undefined
    if (!(socket instanceof Socket)) return
    Object.assign(socket, { blockList: unsent })
    socket.on("connectionAttempt", (address: string, port: number) => {
      if (port === observed_port) tried.push(address)
    })
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => subscribe("net.client.socket", observe)),
    () => Effect.sync(() => unsubscribe("net.client.socket", observe))
  )
  return tried
})

/** Does what a naive sender does: checks the name's address, then lets the system connect to the name. */
const checkedThenConnected = (resolver: Resolver, name: string, port: number) =>
  Effect.promise(async () => {
    expect(await resolver.resolve4(name)).toEqual(["93.184.216.34"])
    const [address = ""] = await resolver.resolve4(name)
    await new Promise((resolve) => {
      request({ host: address, port, method: "POST" }, resolve).on("error", resolve).end()
    })
  })

describe("Outbound.post", () => {
  it.live("opens no connection to a private address, however the URL spells it", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* receiver(greeting)
      const tried = yield* observedConnections(port)
      const urls = hostile_hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])
      const reasons = yield* Effect.forEach(urls, (url) => reasonOf(url)).pipe(Effect.provide(outbound(insecure)))
      expect(new Set(reasons)).toEqual(new Set(["The url field must name a host on the public internet."]))
      expect([tried, sockets.length]).toEqual([[], 0])
    })
  )

  it.live("opens no connection to a name of a private address, of any kind", () =>
    Effect.gen(function* () {
      const addresses = hostile_hosts.map((host) => new URL(`https://${host}/`).hostname.replace(/[[\]]/g, ""))
      const { questions, resolver } = yield* nameServer((name, type) => {
        const address = addresses[Number(/^h(\d+)/.exec(name)?.[1])] ?? ""
        return isIP(address) === (type === "A" ? 4 : 6) ? [address] : []
      })
      const { port, sockets } = yield* receiver(greeting)
      const tried = yield* observedConnections(port)
      const urls = addresses.flatMap((_, index) => {
        const authority = `h${index}.example.com:${port}`
        return [`http://${authority}/`, `https://${authority}/`]
      })
      const reasons = yield* Effect.forEach(urls, (url) => reasonOf(url), { concurrency: attempts_at_once }).pipe(
        Effect.provide(outbound(insecure, resolver))
      )
      expect(new Set(reasons)).toEqual(new Set([unreachable]))
      expect(new Set(questions).size).toBe(2 * addresses.length)
      expect([tried, sockets.length]).toEqual([[], 0])
    })
  )

  it.live("opens no connection to a name with one private address among public ones", () =>
    Effect.gen(function* () {
      const { resolver } = yield* nameServer((name, type) => {
        if (name.startsWith("v4")) return type === "A" ? ["93.184.216.34", "127.0.0.1"] : [nobody]
        return type === "A" ? [] : [nobody, "::1"]
      })
      const { port, sockets } = yield* receiver(greeting)
      const tried = yield* observedConnections(port)
      const urls = [`http://v4.example.com:${port}/`, `http://v6.example.com:${port}/`]
      const reasons = yield* Effect.forEach(urls, (url) => reasonOf(url)).pipe(
        Effect.provide(outbound(insecure, resolver))
      )
      expect(reasons).toEqual([unreachable, unreachable])
      expect([tried, sockets.length]).toEqual([[], 0])
    })
  )

  it.live("connects to the address that was checked, in 1000 attempts at names that then become private", () =>
    Effect.gen(function* () {
      const asked = new Map<string, number>()
      const { questions, resolver } = yield* nameServer((name, type) => {
        const before = asked.get(`${name} ${type}`) ?? 0
        asked.set(`${name} ${type}`, before + 1)
        if (type === "AAAA") return [before === 0 ? nobody : "::1"]
        if (before > 0) return ["127.0.0.1"]
        return name.startsWith("naive") ? ["93.184.216.34"] : []
      })
      const { port, sockets } = yield* receiver(greeting)
      for (let index = 0; index < 10; index++) yield* checkedThenConnected(resolver, `naive${index}.example.com`, port)
      expect(sockets.length, "who checks first and connects later is led to the listener").toBe(10)

      const tried = yield* observedConnections(port)
      const urls = Array.from({ length: 1000 }, (_, index) => `http://n${index}.example.com:${port}/`)
      const reasons = yield* Effect.forEach(urls, (url) => reasonOf(url), { concurrency: attempts_at_once }).pipe(
        Effect.provide(outbound(insecure, resolver))
      )
      expect(reasons).not.toContain("internal")
      expect(sockets.length).toBe(10)
      expect(new Set(tried)).toEqual(new Set([nobody]))
      expect(tried.length).toBe(1000)
      expect(questions.filter((question) => question.startsWith("n0."))).toHaveLength(2)
    })
  )

  it.live("opens a connection of its own for a name to which a trusted request has an open connection", () =>
    Effect.gen(function* () {
      const name = "provider.example.com"
      const { resolver } = yield* nameServer((_, type) => (type === "A" ? ["127.0.0.1"] : []))
      const { port, sockets } = yield* receiver(greeting)
      const { lookup } = Dns
      onTestFinished(() => void Object.assign(Dns, { lookup }))
      // The system knows the private name, as the name servers do.
      Object.assign(Dns, {
        lookup: (_: string, { all }: Dns.LookupOptions, callback: (...answer: ReadonlyArray<unknown>) => void) =>
          all === true ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4)
      })
      const url = `http://${name}:${port}/`
      const trusted = {
        method: "GET",
        url,
        headers: {},
        time_limit: 5_000,
        answer_bytes_max: 100,
        trusted: true
      } as const
      const asking = Effect.gen(function* () {
        const { status } = yield* Outbound.use(({ request }) => request(trusted))
        return [status, yield* reasonOf(url)]
      })
      expect(yield* asking.pipe(Effect.provide(outbound(insecure, resolver)))).toEqual([200, unreachable])
      expect(sockets.length).toBe(1)
    })
  )

  it.live("answers a private address, a closed port and a missing name in the same words", () =>
    Effect.gen(function* () {
      const { resolver } = yield* nameServer((name, type) =>
        name.startsWith("private") ? (type === "A" ? ["10.0.0.1"] : []) : []
      )
      const { port } = yield* receiver((socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n"))
      const closed = yield* Effect.scoped(Effect.map(receiver(greeting), ({ port }) => port))
      const targets = { ...insecure, WEBHOOKS_ALLOWED_TARGETS: `127.0.0.1:${port},127.0.0.1:${closed}` }
      const urls = [
        "http://private.example.com/",
        "http://missing.example.com/",
        `http://127.0.0.1:${closed}/`,
        `http://127.0.0.1:${port}/`,
        `https://127.0.0.1:${port}/`
      ]
      const reasons = yield* Effect.forEach(urls, (url) => reasonOf(url)).pipe(
        Effect.provide(outbound(targets, resolver))
      )
      expect(new Set(reasons)).toEqual(new Set([unreachable]))
    })
  )
})
