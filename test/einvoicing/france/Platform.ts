import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { sha256 } from "../../support/files/Digest.ts"
import { requireOfficial } from "./OfficialApi.ts"

/** The way in which the next request that submits a flow fails. */
export type Fault =
  | "malformed"
  | "down"
  | "busy"
  | "reset_before"
  | "reset_after"
  | "garbage_after"
  | "odd_time_after"
  | "error_after"
  | "stopped_after"

type Ack = "Pending" | "Ok" | "Error"

interface Kept {
  readonly flowId: string
  readonly flowSyntax: string
  readonly flowProfile: string
  readonly flowType: string
  readonly flowDirection: "In" | "Out"
  readonly name: string
  readonly processingRule: string
  readonly trackingId?: string
  submittedAt: string
  readonly file: Buffer
  updatedAt: string
  ack: { status: Ack; details?: ReadonlyArray<object> }
}

interface Search {
  readonly limit?: number
  readonly cursor?: string
  readonly where: {
    readonly ackStatus?: Ack
    readonly flowDirection?: ReadonlyArray<string>
    readonly trackingId?: string
    readonly updatedAfter?: string
  }
}

const flow_types: Readonly<Record<string, string>> = { CDAR: "SupplierInvoiceLC", FRR: "MultiFlowReport" }

const answer = (
  response: ServerResponse,
  service: "flow" | "directory",
  schema: string,
  body: object,
  status = 200
) => {
  requireOfficial(service, schema, body)
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}
const refuse = (response: ServerResponse, status: number, errorCode: string, errorMessage: string) =>
  answer(response, "flow", "Error", { errorCode, errorMessage }, status)

const textOf = (part: unknown) => (typeof part === "string" ? part : "")

/** Simulates an approved platform with its state. Its requests and answers match the official schemas. */
export const platform = async () => {
  const flows: Array<Kept> = []
  const faults: Array<Fault> = []
  const lines = new Map<string, { status: string; entityType: string }>()
  const state = {
    secret: "s:cret",
    token: "token-1",
    tokens: 0,
    requests: 0,
    submissions: 0,
    /** The result of the technical check of the next files. */
    ack: { status: "Ok" } as Kept["ack"],
    directory: "up" as "up" | "down",
    page_max: 100,
    /** True if the platform no longer knows the cursors of its pages. */
    isForgetful: false,
    /** The status with which the platform answers the download of a flow that it lists, by the id of the flow. */
    lost: new Map<string, 429 | 500 | "silent">(),
    /** The number of downloads that the platform did not answer. */
    silences: 0,
    /** Entries of lists that the standard does not know. */
    odd: [] as Array<unknown>,
    stop: () => {}
  }
  let latest_ms = 0
  let serial = 0
  /** Returns the time of the platform's clock. Each change gets a later time than the change before. */
  const clock = () => {
    latest_ms = Math.max(Date.now(), latest_ms + 1)
    return new Date(latest_ms).toISOString()
  }

  const keep = (given: Pick<Kept, "flowSyntax" | "flowType" | "flowDirection" | "file"> & Partial<Kept>) => {
    const at = clock()
    const kept: Kept = {
      flowId: `flow-${++serial}`,
      flowProfile: "CIUS",
      name: "file.xml",
      processingRule: "B2B",
      submittedAt: at,
      updatedAt: at,
      ack: { status: "Ok" },
      ...given
    }
    flows.push(kept)
    return kept
  }

  const shown = ({ ack, ...flow }: Kept) => ({
    ...flow,
    file: undefined,
    processingRuleSource: "Input",
    acknowledgement: ack
  })

  const submit = async (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    state.submissions++
    const fault = faults.shift()
    if (fault === "malformed") return refuse(response, 422, "InvalidSchema", "The file is no invoice.")
    if (fault === "down") return refuse(response, 500, "INTERNAL", "Something went wrong.")
    if (fault === "busy") {
      return response
        .writeHead(429, { "retry-after": "120", "content-type": "application/json" })
        .end(JSON.stringify({ errorCode: "TOO_MANY_REQUESTS" }))
    }
    if (fault === "reset_before") return response.destroy()
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": request.headers["content-type"] ?? "" }
    }).formData()
    const info = JSON.parse(textOf(form.get("flowInfo")))
    requireOfficial("flow", "FlowInfo", info)
    const part = form.get("file")
    if (!(part instanceof File) || part.type !== "application/xml") {
      return refuse(response, 400, "MISSING_FILE", "The file is missing.")
    }
    const file = Buffer.from(await part.arrayBuffer())
    if (sha256(file) !== info.sha256) return refuse(response, 422, "ChecksumMismatch", "The checksum is wrong.")
    const isKnown = flows.some((flow) => flow.flowDirection === "Out" && sha256(flow.file) === info.sha256)
    const details = [
      { level: "Error", item: "file", reasonCode: "AlreadyExistingFlow", reasonMessage: "The platform has the file." }
    ]
    const named = { ...info, sha256: undefined }
    const kept = keep({
      ...named,
      flowType: flow_types[info.flowSyntax] ?? "CustomerInvoice",
      flowDirection: "Out",
      file,
      ack: isKnown ? { status: "Error", details } : state.ack
    })
    if (fault === "reset_after") return response.destroy()
    if (fault === "garbage_after") return response.writeHead(202).end("<html>It works!</html>")
    if (fault === "error_after") return refuse(response, 500, "INTERNAL", "Something went wrong.")
    if (fault === "stopped_after") return state.stop()
    const { flowId, submittedAt } = kept
    if (fault === "odd_time_after") return response.writeHead(202).end(JSON.stringify({ flowId, submittedAt: "soon" }))
    answer(response, "flow", "FullFlowInfo", { ...info, flowId, submittedAt }, 202)
  }

  const search = (response: ServerResponse, given: Search) => {
    requireOfficial("flow", "SearchFlowParams", given)
    const { ackStatus, flowDirection, trackingId, updatedAfter } = given.where
    if (Object.keys(given.where).length === 0) return refuse(response, 400, "NO_CRITERION", "A criterion is missing.")
    const found = flows
      .filter(
        (flow) =>
          (ackStatus ?? flow.ack.status) === flow.ack.status &&
          (flowDirection ?? [flow.flowDirection]).includes(flow.flowDirection) &&
          (trackingId ?? flow.trackingId) === flow.trackingId &&
          flow.updatedAt > (updatedAfter ?? "")
      )
      .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))
    if (given.cursor !== undefined && state.isForgetful) return refuse(response, 400, "CURSOR", "Unknown cursor.")
    const start = Number(given.cursor ?? 0)
    const end = start + Math.min(given.limit ?? 25, state.page_max)
    const page = {
      limit: given.limit ?? 25,
      ...(end < found.length ? { nextCursor: String(end) } : {}),
      filters: given.where,
      results: found.slice(start, end).map(shown)
    }
    requireOfficial("flow", "SearchFlowContent", page)
    const listed = { ...page, results: [...state.odd, ...page.results] }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(listed))
  }

  const download = (response: ServerResponse, id: string, type: string | null) => {
    const flow = flows.find(({ flowId }) => flowId === id)
    if (flow === undefined) return refuse(response, 404, "NOT_FOUND", "There is no such flow.")
    if (type !== "Original") return answer(response, "flow", "Flow", shown(flow))
    if (state.lost.get(id) === "silent") return (state.silences++, response.destroy())
    if (state.lost.get(id) === 429) return response.writeHead(429, { "retry-after": "120" }).end()
    if (state.lost.has(id)) return refuse(response, 500, "LOST", "The file is lost.")
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(flow.file)
  }

  const lineOf = (code: string) => ({
    addressingIdentifier: code,
    platformType: "WK",
    directoryLineStatus: lines.get(code)?.status,
    siren: code.slice(0, 9),
    legalUnit: { siren: code.slice(0, 9), businessName: "ACHETEUR", entityType: lines.get(code)?.entityType }
  })

  const token = (request: IncomingMessage, response: ServerResponse, body: string) => {
    state.tokens++
    const credentials = Buffer.from(`client%2F1:${encodeURIComponent(state.secret)}`).toString("base64")
    if (state.token === "busy") return response.writeHead(429, { "retry-after": "120" }).end()
    const isRight = request.headers.authorization === `Basic ${credentials}` && body === "grant_type=client_credentials"
    const given = isRight
      ? { access_token: state.token, token_type: "Bearer", expires_in: 3600 }
      : { error: "invalid_client" }
    response.writeHead(isRight ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(given))
  }

  const handle = (request: IncomingMessage, response: ServerResponse, body: Buffer): unknown => {
    state.requests++
    const url = new URL(request.url ?? "/", "http://localhost")
    if (url.pathname === "/auth/token") return token(request, response, body.toString())
    if (request.headers.authorization !== `Bearer ${state.token}`) {
      return refuse(response, 401, "UNAUTHORIZED", "The token is unknown.")
    }
    const given = () => JSON.parse(body.toString())
    const id = decodeURIComponent(url.pathname.split("/").at(-1) ?? "")
    switch (`${request.method} ${url.pathname.replace(/(?<=\/flows\/)flow-\d+$|(?<=code:).*$/, "*")}`) {
      case "GET /flow-service/v1/healthcheck":
      case "GET /directory-service/v1/healthcheck":
        return response.writeHead(state.directory === "up" ? 200 : 503).end()
      case "POST /flow-service/v1/flows":
        return submit(request, response, body)
      case "POST /flow-service/v1/flows/search":
        return search(response, given())
      case "GET /flow-service/v1/flows/*":
        return download(response, id, url.searchParams.get("docType"))
      case "GET /directory-service/v1/directory-line/code:*": {
        const code = id.replace("code:", "")
        if (state.directory === "down") return refuse(response, 503, "DOWN", "The directory is down.")
        const line = lines.get(code)
        if (line === undefined || line.status === "Upcoming") return refuse(response, 404, "NOT_FOUND", "Unknown line.")
        return answer(response, "directory", "directoryLinePayloadLegalUnitFacilityRoutingCode", lineOf(code))
      }
      case "POST /directory-service/v1/directory-line/search": {
        requireOfficial("directory", "searchDirectoryLine", given())
        const { value } = given().filters.addressingIdentifier
        const results = lines.has(value) ? [lineOf(value)] : []
        return answer(response, "directory", "directoryLineSearchPost200Response", {
          totalNumberOfResults: results.length,
          results
        })
      }
      default:
        return refuse(response, 404, "NO_ROUTE", `${request.method} ${url.pathname}`)
    }
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => undefined)
    request.on("end", () => {
      // A request that breaks the contract gets no answer, so that no test takes it for the platform's refusal.
      new Promise((resolve) => resolve(handle(request, response, Buffer.concat(chunks)))).catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        response.destroy()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    settings: {
      flow_url: `${url}/flow-service/`,
      directory_url: `${url}/directory-service`,
      token_url: `${url}/auth/token`,
      client_id: "client/1",
      client_secret: state.secret
    },
    state,
    faults,
    flows,
    lines,
    sent: (syntax: string) => flows.filter((flow) => flow.flowDirection === "Out" && flow.flowSyntax === syntax),
    receive: (file: string | Uint8Array, flowSyntax = "UBL", flowType = "SupplierInvoice") =>
      keep({ flowSyntax, flowType, flowDirection: "In", file: Buffer.from(file) }),
    acknowledge: (flow: Kept, ack: Kept["ack"]) => {
      flow.ack = ack
      flow.updatedAt = clock()
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
