import { Cause, Effect, Exit, Stream } from "effect"
import { HttpServerRequest, Multipart } from "effect/http"
import { ValidationFailed, whole_body } from "../../kernel/Refusal.ts"
import { sha256Hex } from "../crypto/Digest.ts"
import { Spool, type SpooledFile } from "../storage/Spool.ts"
import type { StorageUnavailable } from "../storage/StorageUnavailable.ts"
import { MalformedMultipart } from "./Refusals.ts"
import { RequestFacts } from "./Security.ts"

/** Maximum size of a file in bytes: 10 MB, which are 10240 KB (rules/expenses.md, Uploads). */
export const upload_bytes_max = 10 * 1024 * 1024
/** A bank statement of a whole year is larger than other files. */
const statement_bytes_max = 64 * 1024 * 1024
const statement_path = /^\/api\/v1\/bank-accounts\/\d+\/import-statement\/?$/
/** The parser counts bytes around the file, too, so its limit is higher. The file itself is measured afterwards. */
const part_bytes_beside = 64 * 1024
const parts_max = 20
const field_bytes_max = 64 * 1024
/** Number of bytes that the boundaries and the other fields of a form may add to the file. */
const body_bytes_beside = 1024 * 1024

interface UploadedFile extends SpooledFile {
  /** Name of the form field with the file, which clients may choose (rules/conventions.md, Files). */
  readonly part: string
  /** Name of the file according to the client. */
  readonly name: string
}

/** A form with at most one file, which stays on disk until the request ends. */
export interface Upload {
  readonly file: UploadedFile | undefined
  readonly fields: ReadonlyMap<string, string>
}

export type UploadRefused = MalformedMultipart | ValidationFailed | StorageUnavailable

export const isMultipart = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /^multipart\/form-data\b/i.test(headers["content-type"] ?? "")

/** True for a form that may contain files for a page. Only the panel has such forms. */
export const hasPageFiles = (request: HttpServerRequest.HttpServerRequest): boolean =>
  isMultipart(request) && /^\/admin(?:\/|\?|$)/.test(request.url)

const refusedAbove = (bytes_max: number) =>
  ValidationFailed.field("file", `may not be greater than ${bytes_max / 1024} kilobytes.`)
/** Single instances, so that `isTooLarge` can recognize the refusal by identity. */
const fileTooLarge = refusedAbove(upload_bytes_max)
const statementTooLarge = refusedAbove(statement_bytes_max)

/** True if the file exceeds `upload_bytes_max`. Its exact size is unknown, because reading stops at the limit. */
export const isTooLarge = (refused: UploadRefused): boolean => refused === fileTooLarge

const refusalOf = (error: Multipart.MultipartError, tooLarge: ValidationFailed): UploadRefused => {
  switch (error.reason._tag) {
    case "FileTooLarge":
    case "BodyTooLarge":
      return tooLarge
    case "FieldTooLarge":
      return ValidationFailed.field(whole_body, `may not have a text field of more than ${field_bytes_max} bytes.`)
    case "TooManyParts":
      return ValidationFailed.field(whole_body, `may not have more than ${parts_max} parts.`)
    default:
      return MalformedMultipart.of()
  }
}

/** Browsers percent-encode line feeds, carriage returns and quotes (HTML, 4.10.21.8); other clients write `\"`. */
const nameOf = (name: string) => name.replaceAll('\\"', '"').replaceAll(/%(0A|0D|22)/gi, decodeURIComponent)

const partsOf = (request: HttpServerRequest.HttpServerRequest, bytes_max: number) =>
  request.multipartStream.pipe(
    Stream.provideContext(
      Multipart.limitsServices({
        maxParts: parts_max,
        maxFieldSize: field_bytes_max,
        maxFileSize: bytes_max + part_bytes_beside,
        maxTotalSize: bytes_max + body_bytes_beside,
        fieldMimeTypes: []
      })
    ),
    // The parser dies if the header of the first part does not end.
    Stream.catchCause((cause) =>
      Cause.hasDies(cause) ? Stream.fail(Multipart.MultipartError.fromReason("Parse", cause)) : Stream.failCause(cause)
    )
  )

const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const spool = yield* Spool
  const isStatement = statement_path.test(request.url.split("?")[0] ?? "")
  const [bytes_max, tooLarge] = isStatement
    ? [statement_bytes_max, statementTooLarge]
    : [upload_bytes_max, fileTooLarge]
  // A form that announces more than the maximum length is refused before its first byte is received.
  if (Number(request.headers["content-length"]) > bytes_max + body_bytes_beside) return yield* tooLarge
  const fields = new Map<string, string>()
  const files: Array<UploadedFile> = []
  yield* Stream.runForEach(partsOf(request, bytes_max), (part) =>
    Effect.gen(function* () {
      if (part._tag === "Field") {
        // If the header of the next part does not end, the parser emits this part a second time, without its text.
        if (fields.has(part.key))
          return yield* ValidationFailed.field(whole_body, "may not have two text fields of the same name.")
        return void fields.set(part.key, part.value)
      }
      // A form without a chosen file sends a part that has neither a name nor content.
      if (part.name === "") return yield* Stream.runDrain(part.content)
      if (files.length > 0) return yield* ValidationFailed.field("file", "must be a single file.")
      const file = yield* spool.keep(part.content)
      if (file.size > bytes_max) return yield* tooLarge
      files.push({ ...file, part: part.key, name: nameOf(part.name) })
    })
  ).pipe(Effect.mapError((error) => (Multipart.isMultipartError(error) ? refusalOf(error, tooLarge) : error)))
  return { file: files[0], fields }
})

const shown_name_characters_max = 255

/** Prepares a file name for display: characters that cannot be shown are removed instead of refused. */
export const shownName = (name: string): string =>
  Array.from(name.toWellFormed().replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ""))
    .slice(0, shown_name_characters_max)
    .join("")

/** The form of each request, which is read only once: by `Edge.ts` if the caller has a valid credential. */
const received = new WeakMap<RequestFacts, Exit.Exit<Upload, UploadRefused>>()

/** The form of the current request; empty if the body is of another type. */
export const receivedUpload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const facts = yield* RequestFacts
  const known = received.get(facts)
  if (known !== undefined) return yield* known
  const nothing: Upload = { file: undefined, fields: new Map() }
  const form = isMultipart(request) ? yield* Effect.exit(readForm(request)) : Exit.succeed(nothing)
  received.set(facts, form)
  return yield* form
})

/** A hash that depends on the fields, the file and its name, but not on the multipart boundary. */
export const fingerprintOf = ({ fields, file }: Upload): string => {
  const content = [[...fields], file === undefined ? null : [file.part, file.name, file.sha256]]
  return sha256Hex(JSON.stringify(content))
}

/**
 * Maximum size in bytes of all files of a page's form together that are held in memory. No page accepts a file of this
 * size; the largest one is a logo of 512 KiB.
 */
const page_files_bytes_max = 600 * 1024

/**
 * Reads the form of an HTML page, with each file as a `data:` URL. The rest of a file that is too large is skipped.
 * Fields after a file above the limit of uploads are missing.
 */
export const formWithFiles = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const fields = new URLSearchParams()
  let left = page_files_bytes_max
  yield* Stream.runForEach(
    partsOf(request, upload_bytes_max),
    Effect.fnUntraced(function* (part) {
      if (part._tag === "Field") return fields.append(part.key, part.value)
      const kept: Array<Uint8Array> = []
      yield* Stream.runForEach(part.content, (bytes) =>
        Effect.sync(() => {
          const beginning = bytes.slice(0, left)
          left -= beginning.length
          kept.push(beginning)
        })
      )
      const content = Buffer.concat(kept).toString("base64")
      if (part.name !== "") fields.append(part.key, `data:${part.contentType};base64,${content}`)
    })
  ).pipe(Effect.ignore)
  return fields
})
