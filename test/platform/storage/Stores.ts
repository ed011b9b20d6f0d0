import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, FileSystem, Layer, Logger, ManagedRuntime, Option, PlatformError, Redacted } from "effect"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type BlobKey, BlobStore, type LocalFile, newBlobKey } from "../../../src/platform/storage/BlobStore.ts"
import { blobStoreDisk } from "../../../src/platform/storage/BlobStoreDisk.ts"
import { blobStoreS3 } from "../../../src/platform/storage/BlobStoreS3.ts"

/** A store to run effects against, and a folder for the files to store. */
interface OpenStore {
  readonly run: <A, E>(effect: Effect.Effect<A, E, BlobStore>) => Promise<A>
  readonly exit: <A, E>(effect: Effect.Effect<A, E, BlobStore>) => Promise<Exit.Exit<A, unknown>>
  readonly fileOf: (bytes: Uint8Array) => LocalFile
  /** Returns the files in which the store, or the server behind it, keeps its objects. */
  readonly files: () => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const folder = () => mkdtempSync(join(tmpdir(), "invoicing-storage-"))

let files = 0

const open = <E>(layer: Layer.Layer<BlobStore, E>, kept: string, closed: () => Promise<void>): OpenStore => {
  const given = folder()
  const runtime = ManagedRuntime.make(Layer.mergeAll(layer, Logger.layer([])))
  return {
    run: (effect) => runtime.runPromise(effect),
    exit: (effect) => runtime.runPromiseExit(effect),
    fileOf: (bytes) => {
      const path = join(given, `${files++}`)
      writeFileSync(path, bytes)
      return { path, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
    },
    files: () =>
      readdirSync(kept, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted(),
    close: async () => {
      await runtime.dispose()
      await closed()
      rmSync(given, { recursive: true, force: true })
      rmSync(kept, { recursive: true, force: true })
    }
  }
}

/** The file system of this machine, except that hard links into `kept` fail as they do between two file systems. */
const filesApart = (kept: string) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (files) => ({
      ...files,
      link: (from: string, to: string) =>
        from.startsWith(kept)
          ? files.link(from, to)
          : Effect.fail(PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "link" }))
    }))
  )

/** `apart` puts the store on another file system than the files to store. */
export const openDisk = ({ apart = false } = {}): OpenStore => {
  const kept = folder()
  const files = apart ? Layer.provideMerge(filesApart(kept), NodeServices.layer) : NodeServices.layer
  return open(blobStoreDisk(kept).pipe(Layer.provide(files)), kept, async () => {})
}

/** The key pair that the test server knows. */
const s3rver = "S3RVER"

export const openS3 = (port: number, secret = s3rver, kept = folder(), closed = async () => {}): OpenStore =>
  open(
    blobStoreS3(new URL(`s3://objects/live?endpoint=http://127.0.0.1:${port}&region=eu-west-1`), {
      accessKeyId: s3rver,
      secretAccessKey: Redacted.make(secret),
      sessionToken: Option.none()
    }),
    kept,
    closed
  )

/** Starts a real S3-compatible server that checks signatures; undefined if its package is not installed. */
export const startS3 = async () => {
  const installed = await import("@20minutes/s3rver").catch(() => undefined)
  if (installed === undefined) return undefined
  const kept = folder()
  const server = new installed.default({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: kept,
    configureBuckets: [{ name: "objects" }]
  })
  const { port } = await server.run()
  return { port, kept, close: () => server.close() }
}

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/**
 * Simulates S3 without objects, and records the requests. Accepts every write unless `statuses` says otherwise. Closes
 * the connection without an answer at the requests whose numbers are in `lost`.
 */
export const recordingS3 = async (
  statuses: Readonly<Record<string, number>> = {},
  {
    headers: answered = {},
    lost = [],
    content = "",
    writable = Promise.resolve()
  }: {
    readonly headers?: Record<string, string>
    readonly lost?: ReadonlyArray<number>
    /** The answer to a GET or DELETE, or a function that returns the answer to the GET of a URL. */
    readonly content?: string | ((url: string) => string)
    /** The server answers a PUT after this promise is resolved. */
    readonly writable?: Promise<void>
  } = {}
) => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { headers, method = "", url = "" } = request
      received.push({ method, url, headers, body: Buffer.concat(chunks) })
      if (lost.includes(received.length)) return void request.socket.destroy()
      for (const [name, value] of Object.entries(answered)) response.setHeader(name, value)
      response.statusCode = statuses[method] ?? (method === "HEAD" ? 404 : 200)
      const answer = typeof content === "string" ? content : content(url)
      if (method !== "PUT") return void response.end(method === "HEAD" ? undefined : answer)
      void writable.then(() => response.end())
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  // The server listens on a port, so its address has this form.
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { port, received, close }
}

export const locked_bucket =
  '<?xml version="1.0" encoding="UTF-8"?><ObjectLockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
  "<ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>"

export const someKey = () => Effect.runSync(newBlobKey("attachments", 7))
export const put = (key: BlobKey, file: Parameters<BlobStore["Service"]["put"]>[1]) =>
  Effect.flatMap(BlobStore, (store) => store.put(key, file))

export const tagOf = (exit: Exit.Exit<unknown, unknown>) => {
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
}
