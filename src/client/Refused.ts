/** The codes that an endpoint declares, so that an editor can complete them; any text if the endpoint declares none. */
type CodeOf<Failure> = Failure extends { readonly code: infer Code }
  ? string extends Code
    ? string & {}
    : Code
  : string & {}

/** An answer that refuses the request. `body` is the answer as the reference describes it. */
export class Refused<Failure = unknown> extends Error {
  override readonly name = "Refused"
  readonly status: number
  /** The stable code, such as `invoice_locked`; `http_429` and the like for an answer without a code. */
  readonly code: CodeOf<Failure>
  readonly body: Failure
  readonly #response: Response

  constructor(body: Failure, response: Response) {
    const { code, error, error_description, message } = fieldsOf(body)
    super(message ?? error_description ?? `HTTP ${response.status}`)
    this.status = response.status
    // Boundary: the body of the response that was just read has the type that the contract declares.
    this.code = (code ?? error ?? `http_${response.status}`) as CodeOf<Failure>
    this.body = body
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
interface Answered<Body, Failure> {
  readonly data?: Body
  readonly error?: Failure
  readonly response: Response
}

/** The record in `{"success": true, "data": ...}`; a page of a list and a file remain as they are. */
type Unwrapped<Body> = Body extends { readonly meta: unknown }
  ? Body
  : Body extends { readonly data: infer Data }
    ? Data
    : Body

/** Returns the record of an answer, or throws `Refused`. */
export const unwrap = async <Body, Failure>(answer: PromiseLike<Answered<Body, Failure>>): Promise<Unwrapped<Body>> => {
  const { data, error, response } = await answer
  if (!response.ok) throw new Refused(error, response)
  const isEnvelope = typeof data === "object" && data !== null && "data" in data && !("meta" in data)
  // Boundary: the checks above match the type `Unwrapped`.
  return (isEnvelope ? data.data : data) as Unwrapped<Body>
}
