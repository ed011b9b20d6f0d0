import { Effect, Layer, Option } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppConfig, type Settings } from "../../../src/platform/config/AppConfig.ts"
import { TimestampAuthority } from "../../../src/platform/crypto/signatures/TimestampAuthority.ts"

const folder = mkdtempSync(join(tmpdir(), "tsa-"))
const file = (name: string) => join(folder, name)
const openssl = (...parameters: ReadonlyArray<string>) =>
  execFileSync("openssl", parameters, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }).toString()

const configuration = `
[req]
distinguished_name = name
[name]
[tsa]
extendedKeyUsage = critical,timeStamping
[tsa_config]
serial = ${file("serial")}
signer_cert = ${file("tsa.pem")}
signer_key = ${file("tsa.key")}
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`

const endless_piece = 16_384
const endless_bytes = 100_000_000
let written = 0
/** Stands for an answer of `endless_bytes`, which the server sends in pieces as long as they are read. */
const endless = () => Buffer.alloc(endless_piece)

/** If set, it replaces the answer of the authority, which is openssl behind HTTP. */
let answer: ((query: Buffer) => Buffer) | undefined
let server: Server

const authority = (query: Buffer) => {
  writeFileSync(file("query.tsq"), query)
  const paths = ["-queryfile", "query.tsq", "-out", "reply.tsr", "-config", "tsa.cnf", "-section", "tsa_config"]
  openssl("ts", "-reply", ...paths)
  return execFileSync("cat", [file("reply.tsr")])
}

beforeAll(async () => {
  writeFileSync(file("tsa.cnf"), configuration)
  writeFileSync(file("serial"), "01\n")
  const subject = ["-subj", "/CN=Test TSA", "-config", "tsa.cnf", "-extensions", "tsa"]
  openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out", "tsa.pem", ...subject)
  server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece) => pieces.push(piece))
    request.on("end", () => {
      if (answer !== endless) return response.end((answer ?? authority)(Buffer.concat(pieces)))
      const write = () => {
        while (!response.destroyed && written < endless_bytes && response.write(answer?.(Buffer.alloc(0)))) {
          written += endless_piece
        }
      }
      response.on("drain", write)
      write()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const confirmed = (bytes: Uint8Array) => {
  // Boundary: the address of a server that listens on TCP.
  const { port } = server.address() as AddressInfo
  const settings: Partial<Settings> = {
    timestampUrl: Option.some(new URL(`http://127.0.0.1:${port}/tsa`)),
    webhooks: { allowHttp: false, allowedTargets: [], timeScale: 1 },
    production: true
  }
  const layer = TimestampAuthority.layer.pipe(Layer.provide(Layer.succeed(AppConfig, settings as Settings)))
  return Effect.runPromise(TimestampAuthority.use(({ confirm }) => confirm(bytes)).pipe(Effect.provide(layer)))
}

describe("a time-stamping authority", () => {
  const signature = Buffer.from("the bytes of a signature")

  it("confirms bytes with a token that openssl verifies for these bytes only", async () => {
    answer = undefined
    const token = Option.getOrThrow(await confirmed(signature))
    writeFileSync(file("token.der"), Buffer.from(token, "base64"))
    writeFileSync(file("data"), signature)
    const verify = ["ts", "-verify", "-data", "data", "-in", "token.der", "-token_in", "-CAfile", "tsa.pem"]
    expect(openssl(...verify)).toContain("Verification: OK")
    writeFileSync(file("data"), "other bytes")
    expect(() => openssl(...verify)).toThrow()
  })

  it.each([
    [
      "a token of another request",
      () =>
        authority(
          execFileSync("openssl", ["ts", "-query", "-data", file("tsa.cnf"), "-sha256", "-cert"], {
            stdio: ["ignore", "pipe", "ignore"]
          })
        )
    ],
    ["a refusal", () => Buffer.from("30053003020102", "hex")],
    ["nonsense", () => Buffer.from("nonsense")],
    ["too much", () => Buffer.alloc(100_000)],
    ["an endless answer", endless]
  ])("is not trusted with %s", async (_name, given) => {
    answer = given
    expect(await confirmed(signature)).toEqual(Option.none())
    expect(written).toBeLessThan(10_000_000)
  })
})
