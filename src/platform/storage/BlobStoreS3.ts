import { AwsClient } from "aws4fetch"
import { Data, Duration, Effect, Exit, Layer, Option, Redacted, Stream } from "effect"
import { hash } from "node:crypto"
import { openAsBlob } from "node:fs"
import { BlobExists, BlobMissing, BlobStore } from "./BlobStore.ts"
import type { BlobKey, LocalFile, Retention, StoragePlace } from "./BlobStore.ts"
import { textElement, xmlDocument } from "../documents/Xml.ts"
import { StorageUnavailable } from "./StorageUnavailable.ts"

interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken: Option.Option<Redacted.Redacted>
}

const region_default = "us-east-1"
/** Maximum number of retries of a request that the store answers with 429 or 5xx. */
const retries_max = 2
/** Maximum number of repeats of a request whose connection closes without an answer. All requests are idempotent. */
const repeats_max = 2
/** Time limit of a request with all its retries, without the time for the bytes that it uploads. */
const request_timeout = Duration.seconds(20)
/** Minimum number of bytes per second of an upload. A slower one is ended. */
const upload_rate_min = 1024 * 1024
/** Maximum number of bytes that S3 accepts in one request. */
const upload_bytes_max = 5 * 1024 ** 3

/** Parses `s3://bucket/prefix?endpoint=https://host:port&region=eu-west-1`; the default endpoint is AWS. */
const addressOf = (url: URL) => {
  const region = url.searchParams.get("region") ?? region_default
  const endpoint = url.searchParams.get("endpoint")
  const prefix = url.pathname.replace(/\/+$/, "")
  const bucket =
    endpoint === null
      ? `https://${url.hostname}.s3.${region}.amazonaws.com`
      : `${endpoint.replace(/\/+$/, "")}/${url.hostname}`
  const place: StoragePlace = { bucket: url.hostname, account: new URL(bucket).host, region }
  return { bucket, base: `${bucket}${prefix}`, place }
}

/** Each upload carries its SHA-256, which the store verifies, so that a byte changed in transit is refused. */
export const blobStoreS3 = (url: URL, credentials: S3Credentials) =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const { base, bucket, place } = addressOf(url)
      const client = new AwsClient({
        accessKeyId: credentials.accessKeyId,
        secretAccessKey: Redacted.value(credentials.secretAccessKey),
        ...Option.match(credentials.sessionToken, {
          onNone: () => ({}),
          onSome: (token) => ({ sessionToken: Redacted.value(token) })
        }),
        service: "s3",
        region: place.region,
        retries: retries_max
      })

      const request = (method: string, address: string, init: RequestInit = {}, upload_bytes = 0) =>
        Effect.tryPromise({
          try: (signal) => client.fetch(address, { ...init, method, signal }),
          catch: (cause) => new NoAnswer({ cause })
        }).pipe(
          Effect.retry({ times: repeats_max, while: isConnectionLost }),
          Effect.timeout(Duration.sum(request_timeout, Duration.seconds(upload_bytes / upload_rate_min))),
          Effect.tapError((cause) => Effect.logError("storage failed", cause)),
          Effect.mapError(() => StorageUnavailable.of())
        )

      const send = (method: string, key: BlobKey, init?: RequestInit, upload_bytes?: number) =>
        request(method, `${base}/${key}`, init, upload_bytes)

      /** Logs the text of the answer but hides it from callers, because it may contain the name of the bucket. */
      const refusedWith = Effect.fnUntraced(function* (method: string, { status }: Response, text: string) {
        yield* Effect.logError(`storage answered ${status} to ${method}`, text.slice(0, answer_characters_max))
        return yield* StorageUnavailable.of()
      })

      const refused = (method: string, response: Response) =>
        textOf(response).pipe(
          Effect.orElseSucceed(() => ""),
          Effect.flatMap((text) => refusedWith(method, response, text))
        )

      /** Reads an answer, and refuses one that says nothing about an object, because the whole bucket is missing. */
      const textWithBucket = Effect.fnUntraced(function* (method: string, response: Response) {
        const text = yield* textOf(response)
        return bucket_missing.test(text) ? yield* refusedWith(method, response, text) : text
      })

      /** True if an earlier attempt stored this content, and only its answer was lost. */
      const isStored = Effect.fnUntraced(function* (key: BlobKey, { sha256 }: LocalFile) {
        const known = yield* send("HEAD", key, { headers: { "x-amz-checksum-mode": "ENABLED" } })
        return known.headers.get(checksum) === base64Of(sha256)
      })

      const put = Effect.fn("BlobStore.put")(function* (key: BlobKey, file: LocalFile, retention: Retention = {}) {
        // Some stores ignore the condition of the PUT below, so an existing object is also detected here.
        const known = yield* send("HEAD", key)
        if (known.ok) return yield* new BlobExists({ key })
        if (known.status !== not_found) return yield* refused("HEAD", known)
        if (file.size > upload_bytes_max) {
          yield* Effect.logError(`a file of ${file.size} bytes cannot be stored: S3 accepts ${upload_bytes_max} bytes`)
          return yield* StorageUnavailable.of()
        }
        const body = yield* contentOf(file)
        const headers = { ...writeHeaders(file), ...lockHeaders(retention) }
        const response = yield* send("PUT", key, { body, headers }, file.size)
        if (!response.ok && response.status !== precondition_failed) return yield* refused("PUT", response)
        yield* discard(response)
        if (!response.ok && !(yield* isStored(key, file))) return yield* new BlobExists({ key })
      })

      const retain = Effect.fn("BlobStore.retain")(function* (key: BlobKey, until: string) {
        const known = yield* send("HEAD", key)
        if (!known.ok) return yield* refused("HEAD", known)
        if (Date.parse(known.headers.get(retained_until) ?? "") >= Date.parse(until)) return
        const body = retentionXml(until)
        const headers = { "content-type": "application/xml", [checksum]: hash("sha256", body, "base64") }
        const response = yield* request("PUT", `${base}/${key}?retention`, { body, headers })
        if (!response.ok) return yield* refused("PUT retention", response)
        yield* discard(response)
      })

      const get = Effect.fn("BlobStore.get")(function* (key: BlobKey) {
        const response = yield* send("GET", key)
        if (response.status === not_found) {
          yield* textWithBucket("GET", response)
          return yield* new BlobMissing({ key })
        }
        const { body } = response
        if (!response.ok || body === null) return yield* refused("GET", response)
        const size = Number(response.headers.get("content-length"))
        const bytes = Stream.fromReadableStream({ evaluate: () => body, onError: () => StorageUnavailable.of() })
        return { size, bytes }
      })

      const remove = Effect.fn("BlobStore.remove")(function* (key: BlobKey) {
        const response = yield* send("DELETE", key)
        if (!response.ok && response.status !== not_found) return yield* refused("DELETE", response)
        yield* textWithBucket("DELETE", response)
      })

      const readObjectLock = Effect.gen(function* () {
        const response = yield* request("GET", `${bucket}?object-lock`)
        if (!response.ok && !without_lock.includes(response.status)) return yield* refused("GET object-lock", response)
        const text = yield* textWithBucket("GET object-lock", response)
        const isLocked = response.ok && lock_enabled.test(text)
        if (!isLocked)
          yield* Effect.logWarning(`the bucket ${place.bucket} has no Object Lock, so its objects can be deleted`)
        return isLocked
      })

      // A bucket never loses Object Lock, so the store is asked only once. An outage is not cached.
      const known = yield* Effect.cachedWithTTL(readObjectLock, (exit) =>
        Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
      )
      const locks = Effect.withSpan(known, "BlobStore.locks")

      return BlobStore.of({ place, locks, put, retain, get, remove })
    })
  )

/** The content is not loaded into memory: it goes from the disk to the socket in chunks. */
const contentOf = ({ path }: LocalFile) =>
  Effect.tryPromise({ try: () => openAsBlob(path), catch: (cause) => new NoAnswer({ cause }) }).pipe(
    Effect.tapError((error) => Effect.logError("a file to be stored cannot be read", error)),
    Effect.mapError(() => StorageUnavailable.of())
  )

const textOf = (response: Response) =>
  Effect.tryPromise(() => response.text()).pipe(
    Effect.timeout(request_timeout),
    Effect.mapError(() => StorageUnavailable.of())
  )

class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly cause: unknown }> {}

/** Error codes of fetch for a connection that the other side closed. */
const lost_connection_codes: ReadonlyArray<unknown> = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]

const isConnectionLost = ({ cause }: NoAnswer): boolean => {
  const reason = cause instanceof Error ? cause.cause : undefined
  return reason instanceof Error && "code" in reason && lost_connection_codes.includes(reason.code)
}

const not_found = 404
const precondition_failed = 412
/** Statuses of stores that do not know Object Lock, or whose bucket does not have it. */
const without_lock: ReadonlyArray<number> = [400, not_found, 405, 501]
const lock_enabled = /<ObjectLockEnabled>\s*Enabled\s*</
const bucket_missing = /<Code>\s*NoSuchBucket\s*</
const answer_characters_max = 500

/** Frees the connection for the next request. */
const discard = (response: Response) => Effect.promise(async () => response.body?.cancel().catch(() => undefined))

const checksum = "x-amz-checksum-sha256"
const base64Of = (sha256: string) => Buffer.from(sha256, "hex").toString("base64")

const writeHeaders = ({ sha256 }: LocalFile) => ({
  "content-type": "application/octet-stream",
  "if-none-match": "*",
  "x-amz-content-sha256": sha256,
  [checksum]: base64Of(sha256)
})

const retained_until = "x-amz-object-lock-retain-until-date"

const lockHeaders = ({ retain_until }: Retention): Record<string, string> =>
  retain_until === undefined ? {} : { "x-amz-object-lock-mode": "COMPLIANCE", [retained_until]: retain_until }

const retentionXml = (until: string): string =>
  xmlDocument("Retention", { xmlns: "http://s3.amazonaws.com/doc/2006-03-01/" }, [
    textElement("Mode", "COMPLIANCE"),
    textElement("RetainUntilDate", until)
  ])
