import { SchemaAST } from "effect"
import { type Headers, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { createHash } from "node:crypto"
import { versionTag } from "../Precondition.ts"
import type { RequestFacts } from "../Security.ts"

/** `Cache-Control` of an answer that a client may store but must revalidate before each use. */
export const revalidated = "private, no-cache"

/** Paths whose GET answers `{"success":true,"data":...}`, neither a page of a list nor a file. */
const documentPaths = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const paths = new Set<string>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      const schemas = endpoint.method === "GET" ? [...(successes.get(200) ?? [])] : []
      if (schemas.some(({ ast }) => isDocument(SchemaAST.toEncoded(ast)))) paths.add(endpoint.path)
    }
  })
  return paths
}

const isDocument = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Objects" && ast.propertySignatures.map(({ name }) => String(name)).join() === "success,data"

const tags = /(?:W\/)?("[^"]*")/g

/** True if `If-None-Match` contains the tag, by weak comparison (RFC 9110, 13.1.2). */
const isKnown = ({ "if-none-match": known = "" }: Headers.Headers, tag: string): boolean =>
  known.trim() === "*" || [...known.matchAll(tags)].some(([, opaque]) => opaque === tag.replace("W/", ""))

interface Validators {
  readonly etag: string
  readonly [header: string]: string
}

/** Answers 304 with the validators if the client already has the answer that they describe. */
export const unlessKnown = (
  asked: Headers.Headers,
  validators: Validators,
  answer: () => HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  isKnown(asked, validators.etag) ? HttpServerResponse.empty({ status: 304, headers: validators }) : answer()

/**
 * Adds an `ETag` to documents, and answers 304 to a client that has the document. Besides the version, the tag of a GET
 * contains a digest, because a document can change without a new version: an invoice becomes overdue. The tag of a
 * write contains only the version, which is all that `If-Match` compares. A file keeps the tag that its handler set.
 */
export const entityTags = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const paths = documentPaths(api)
  return (
    { headers, method }: HttpServerRequest.HttpServerRequest,
    { route, version }: RequestFacts,
    response: HttpServerResponse.HttpServerResponse
  ) => {
    if (response.status >= 300) return response
    if (method !== "GET" && method !== "HEAD") return versioned(response, version)
    if (response.status !== 200 || response.body._tag !== "Uint8Array") return response
    const { body } = response.body
    const tag = response.headers["etag"] ?? (paths.has(route ?? "") ? versionedTag(body, version) : undefined)
    if (tag === undefined) return response
    const validators = { etag: tag, "cache-control": revalidated }
    return unlessKnown(headers, validators, () => HttpServerResponse.setHeaders(response, validators))
  }
}

/** Tags the answer to a write with the version that the write made. */
export const versioned = (response: HttpServerResponse.HttpServerResponse, version: number | undefined) =>
  version === undefined ? response : HttpServerResponse.setHeader(response, "etag", `"${versionTag(version)}"`)

/** Base64url characters of a digest: 132 bits. */
const digest_characters = 22

const digestOf = (body: Uint8Array | string): string =>
  createHash("sha256").update(body).digest("base64url").slice(0, digest_characters)

export const tagOf = (body: Uint8Array | string): string => `"${digestOf(body)}"`

const versionedTag = (body: Uint8Array, version: number | undefined): string =>
  version === undefined ? tagOf(body) : `"${versionTag(version)}.${digestOf(body)}"`
