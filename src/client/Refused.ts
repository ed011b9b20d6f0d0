import type { components } from "./openapi.ts"

/**
 * Adds the code `undefined` to the few refusals without a code, so that a program can compare the code of any refusal.
 */
export type Coded<Refusal> = Refusal extends { readonly code: unknown }
  ? Refusal
  : Refusal & { readonly code?: undefined }

type Schemas = components["schemas"]

/** The refusals of all endpoints: those of the API, and those of the OAuth server. */
type Refusals = {
  [Name in keyof Schemas]: Schemas[Name] extends { success: false } | { error: string; error_description: string }
    ? Schemas[Name]
    : never
}[keyof Schemas]

type CodeOf<Refusal> = Refusal extends { code: infer Code } | { error: infer Code } ? Code : never

/** An answer that refuses the request. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  /** The stable code, such as `invoice_locked`; `http_429` and the like for an answer without a code. */
  readonly code: CodeOf<Refusals> | `http_${number}`
  /** The answer as the reference describes it; undefined if a proxy answered instead of the service. */
  readonly body: Coded<Refusals | Schemas["TooManyRequests"]> | undefined
  readonly #response: Response

  constructor(body: unknown, response: Response) {
    const { code, error, error_description, message } = fieldsOf(body)
    super(message ?? error_description ?? `HTTP ${response.status}`)
    this.status = response.status
    // Boundary: an answer of the service has one of the types that the contract declares.
    this.code = (code ?? error ?? `http_${response.status}`) as this["code"]
    this.body = (typeof body === "object" && body !== null ? body : undefined) as this["body"]
    this.#response = response
  }

  /** A getter, so that an error that nobody catches is printed without the many fields of the response. */
  get response(): Response {
    return this.#response
  }

  /** The id of the request, by which the operator of the service finds it in the log. */
  get requestId(): string | null {
    return this.#response.headers.get("x-request-id")
  }
}

const fieldsOf = (body: unknown): Partial<Record<string, string>> =>
  typeof body === "object" && body !== null
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === "string"))
    : {}

/** The result of a method of the client: the data or the refusal, with the response. */
interface Answered<Body> {
  readonly data?: Body
  readonly error?: unknown
  readonly response: Response
}

/** The record in `{"success": true, "data": ...}`; a page of a list and a file remain as they are. */
type Unwrapped<Body> = Body extends { readonly meta: unknown }
  ? Body
  : Body extends { readonly data: infer Data }
    ? Data
    : Body

/** Returns the record of an answer, or throws `Refused`. */
export const unwrap = async <Body>(answer: PromiseLike<Answered<Body>>): Promise<Unwrapped<Body>> => {
  const { data, error, response } = await answer
  if (!response.ok) throw new Refused(error, response)
  const isEnvelope = typeof data === "object" && data !== null && "data" in data && !("meta" in data)
  // Boundary: the checks above match the type `Unwrapped`.
  return (isEnvelope ? data.data : data) as Unwrapped<Body>
}
