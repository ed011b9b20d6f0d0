import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:https"
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from "node:tls"
import { isInstalled } from "../../support/counterparts/Programs.ts"
import { certificates } from "./Certificates.ts"
import { allowing, post } from "./Receivers.ts"

/** An https server with this certificate, which counts the requests that reach it. */
const receiver = Effect.fnUntraced(function* (options: TlsOptions) {
  let requests = 0
  const server = createServer({ ...options, ALPNProtocols: ["h2", "http/1.1"] }, (request, response) => {
    requests++
    response.end(`${request.httpVersion} ${request.socket.remoteAddress === undefined ? "gone" : "here"}`)
  })
  server.on("tlsClientError", () => undefined)
  yield* Effect.callback<void>((resume) => void server.listen(0, () => resume(Effect.void)))
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
  )
  const address = server.address()
  return { port: typeof address === "object" && address !== null ? address.port : 0, requests: () => requests }
})

const trusting = (authority: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, authority])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )

const reasonsOf = (port: number, times: number) =>
  Effect.forEach(Array.from({ length: times }), () =>
    Effect.match(post(`https://localhost:${port}/hook`), {
      onFailure: ({ reason }) => reason,
      onSuccess: ({ body }) => body
    })
  ).pipe(Effect.provide(allowing([port])))

describe.runIf(isInstalled("openssl", "receivers over https"))("Outbound.post over https", () => {
  it.live("speaks HTTP/1.1 to a receiver whose certificate is valid", () =>
    Effect.gen(function* () {
      const { authority, good } = certificates()
      yield* trusting(authority)
      for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
        const { port } = yield* receiver({ ...good, maxVersion })
        expect(yield* reasonsOf(port, 2)).toEqual(["1.1 here", "1.1 here"])
      }
    })
  )

  it.live("never sends to a receiver whose certificate is self-signed, expired, too new or another's", () =>
    Effect.gen(function* () {
      const { authority, good, refused } = certificates()
      const untrusted = yield* receiver(good)
      const refusal = "The certificate of the target is not valid."
      expect(yield* reasonsOf(untrusted.port, 2)).toEqual([refusal, refusal])
      expect(untrusted.requests()).toBe(0)
      yield* trusting(authority)
      for (const [fault, certificate] of Object.entries(refused)) {
        for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
          const { port, requests } = yield* receiver({ ...certificate, maxVersion })
          expect([fault, ...(yield* reasonsOf(port, 3))]).toEqual([fault, refusal, refusal, refusal])
          expect(requests(), `${fault} ${maxVersion}`).toBe(0)
        }
      }
    })
  )
})
