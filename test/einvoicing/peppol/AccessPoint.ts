import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { answers, requests } from "./AccessPointContract.ts"

/** The way in which the next request that sends a document fails. */
export type Fault =
  | "refused"
  | "unreachable"
  | "down"
  | "busy"
  | "reset_before"
  | "reset_after"
  | "garbage_after"
  | "error_after"
  | "stopped_after"

interface Kept {
  readonly id: string
  readonly direction: "incoming" | "outgoing"
  readonly senderId: string
  readonly receiverId: string
  readonly docTypeId: string
  readonly type: string
  readonly createdAt: string
  readonly xml: string
  readonly parsed: object | null
  readonly envelopeId: string | null
  readAt: string | null
}

const at = "2026-03-01T10:00:00.000Z"
const company_id = "c_ours"
const ours = "0208:0202239951"
const supplier = "0208:0123456749"
const ubl = "urn:oasis:names:specification:ubl:schema:xsd"
const invoice_type = `${ubl}:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1`
const level_response_type = `${ubl}:ApplicationResponse-2::ApplicationResponse##urn:fdc:peppol.eu:poacc:trns:mlr:3::2.1`
export const response_type = `${ubl}:ApplicationResponse-2::ApplicationResponse##urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1`
const signal = '<eb:SignalMessage xmlns:eb="urn:ebms"><eb:Receipt/></eb:SignalMessage>'

const answered = (response: ServerResponse, validate: (value: unknown) => boolean, body: object, status = 200) => {
  if (!validate(body)) throw new Error(`The counterpart breaks the contract: ${JSON.stringify(body)}`)
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}
const refuse = (response: ServerResponse, status: number, errors: Record<string, ReadonlyArray<string>>) =>
  answered(response, answers.refusal, { success: false, errors }, status)

const levelResponse = (envelopeId: string, responseCode: string) => `<ApplicationResponse
  xmlns="${ubl}:ApplicationResponse-2"
  xmlns:cac="${ubl}:CommonAggregateComponents-2" xmlns:cbc="${ubl}:CommonBasicComponents-2">
  <cbc:ID>1</cbc:ID>
  <cac:DocumentResponse>
    <cac:Response><cbc:ResponseCode>${responseCode}</cbc:ResponseCode></cac:Response>
    <cac:DocumentReference><cbc:ID>${envelopeId}</cbc:ID></cac:DocumentReference>
  </cac:DocumentResponse>
</ApplicationResponse>`

/** Simulates an access point with its state. Its requests and answers match Recommand's published schemas. */
export const accessPoint = async () => {
  const documents: Array<Kept> = []
  const identifiers: Array<{ scheme: string; identifier: string }> = []
  const faults: Array<Fault> = []
  /** Document types that the organization has registered, and participants that do not accept Invoice Responses. */
  const documentTypes: Array<{ docTypeId: string; processId: string }> = []
  const silent = new Set<string>()
  /** The status with which the access point answers instead of showing a document that it lists, by its id. */
  const broken = new Map<string, number>()
  const state = { isVerified: true, isSmpRecipient: false, sends: 0, requests: 0, key: "key:secret", stop: () => {} }
  let serial = 0

  const company = () => ({
    id: company_id,
    teamId: "t_1",
    name: "Acme BV",
    address: "Kerkstraat 1",
    postalCode: "9000",
    city: "Gent",
    country: "BE",
    enterpriseNumberScheme: "0208",
    enterpriseNumber: "0202239951",
    vatNumber: "BE0202239951",
    email: null,
    phone: null,
    isSmpRecipient: state.isSmpRecipient,
    isVerified: state.isVerified,
    createdAt: at,
    updatedAt: at
  })
  const identifierOf = (given: { scheme: string; identifier: string }) => {
    return { id: "i_1", companyId: company_id, ...given, createdAt: at, updatedAt: at }
  }
  const documentTypeOf = (given: { docTypeId: string; processId: string }) => {
    return { id: "t_1", companyId: company_id, ...given, createdAt: at, updatedAt: at }
  }
  const listed = ({ createdAt, direction, docTypeId, envelopeId, id, readAt, receiverId, senderId, type }: Kept) => ({
    id,
    teamId: "t_1",
    companyId: company_id,
    direction,
    senderId,
    receiverId,
    docTypeId,
    processId: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
    countryC1: "BE",
    type,
    readAt,
    createdAt,
    updatedAt: createdAt,
    validation: null,
    sentOverPeppol: true,
    sentOverEmail: false,
    emailRecipients: [],
    labels: [],
    peppolMessageId: `m_${id}`,
    peppolConversationId: null,
    receivedPeppolSignalMessage: direction === "outgoing" ? signal : null,
    envelopeId
  })
  const keep = (given: Pick<Kept, "direction" | "receiverId" | "type" | "xml"> & Partial<Kept>) => {
    const id = `doc_${++serial}`
    const createdAt = new Date().toISOString()
    const unread = { parsed: null, envelopeId: `e_${id}`, readAt: null }
    const senderId = given.direction === "outgoing" ? ours : supplier
    const kept: Kept = { id, createdAt, docTypeId: invoice_type, senderId, ...unread, ...given }
    documents.push(kept)
    return kept
  }

  interface Sending {
    readonly document: string
    readonly recipient: string
    readonly doctypeId?: string
  }
  const send = (response: ServerResponse, { doctypeId = invoice_type, document, recipient }: Sending) => {
    state.sends++
    const fault = faults.shift()
    if (fault === "refused") {
      const root = ["Document validation failed. Please ensure your document complies."]
      return refuse(response, 400, { root, "/Invoice": ["BR-01: An Invoice shall have a Specification identifier."] })
    }
    if (fault === "unreachable") {
      return refuse(response, 422, { root: ["Failed to send document over Peppol network."] })
    }
    if (fault === "down") return response.writeHead(500).end()
    if (fault === "busy") return response.writeHead(429, { "retry-after": "120" }).end()
    if (fault === "reset_before") return response.destroy()
    const billing_type = document.includes("<CreditNote") ? "creditNote" : "invoice"
    const type = doctypeId === invoice_type ? billing_type : "unknown"
    const sent = { receiverId: recipient, docTypeId: doctypeId, type, xml: document }
    const { envelopeId, id } = keep({ direction: "outgoing", ...sent })
    if (fault === "reset_after") return response.destroy()
    if (fault === "garbage_after") return response.writeHead(200).end("<html>It works!</html>")
    if (fault === "error_after") return refuse(response, 400, { root: ["Failed to send document"] })
    if (fault === "stopped_after") return state.stop()
    answered(response, answers.sent, {
      success: true,
      sentOverPeppol: true,
      sentOverEmail: false,
      emailRecipients: [],
      teamId: "t_1",
      companyId: company_id,
      id,
      peppolMessageId: `m_${id}`,
      envelopeId
    })
  }

  const list = (response: ServerResponse, query: URLSearchParams) => {
    const [page, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit") ?? 10)]
    const found = documents.filter(
      ({ createdAt, direction, type }) =>
        direction === (query.get("direction") ?? direction) &&
        type === (query.get("type") ?? type) &&
        createdAt >= (query.get("from") ?? "") &&
        createdAt < (query.get("to") ?? "9999")
    )
    answered(response, answers.documents, {
      success: true,
      documents: found
        .slice((page - 1) * limit, page * limit)
        .map((document) => ({ ...listed(document), parsed: document.parsed })),
      pagination: { total: found.length, page, limit, totalPages: Math.ceil(found.length / limit) }
    })
  }

  const handle = (request: IncomingMessage, response: ServerResponse, body: string) => {
    state.requests++
    const url = new URL(request.url ?? "/", "http://localhost")
    const given = body === "" ? {} : JSON.parse(body)
    const valid = (validate: (value: unknown) => boolean) => {
      if (validate(given)) return true
      refuse(response, 400, { root: ["The request does not fit the contract."] })
      return false
    }
    if (request.headers.authorization !== `Basic ${Buffer.from(state.key).toString("base64")}`) {
      return refuse(response, 401, { root: ["Unauthorized"] })
    }
    const [, , , collection = "", id = "", action = ""] = url.pathname.split("/")
    const route = `${request.method} ${[collection, id === "" ? "" : ":id", action].filter(Boolean).join("/")}`
    const kept = documents.find((document) => document.id === id)
    switch (route) {
      case `POST ${company_id}/:id`:
        return valid(requests.send) ? send(response, given) : undefined
      case "GET companies/:id":
        if (id !== company_id) return refuse(response, 404, { root: ["Company not found"] })
        return answered(response, answers.company, { success: true, company: company() })
      case "PUT companies/:id":
        if (!valid(requests.company)) return
        state.isSmpRecipient = given.isSmpRecipient ?? state.isSmpRecipient
        return answered(response, answers.company, { success: true, company: company() })
      case "GET companies/:id/identifiers":
        return answered(response, answers.identifiers, { success: true, identifiers: identifiers.map(identifierOf) })
      case "POST companies/:id/identifiers":
        if (!valid(requests.identifier)) return
        identifiers.push(given)
        return answered(response, answers.done, { success: true })
      case "GET companies/:id/document-types":
        return answered(response, answers.documentTypes, {
          success: true,
          documentTypes: documentTypes.map(documentTypeOf)
        })
      case "POST companies/:id/document-types":
        if (!valid(requests.documentType)) return
        documentTypes.push(given)
        return answered(response, answers.documentType, { success: true, documentType: documentTypeOf(given) })
      case "POST verify-document-support":
        if (!valid(requests.support)) return
        return answered(response, answers.support, {
          success: true,
          isValid: given.documentType === response_type && !silent.has(given.peppolAddress)
        })
      case "GET documents":
        return list(response, url.searchParams)
      case "GET inbox": {
        const unread = documents.filter(({ direction, readAt }) => direction === "incoming" && readAt === null)
        return answered(response, answers.inbox, { success: true, documents: unread.map(listed) })
      }
      case "GET documents/:id":
        if (kept === undefined) return refuse(response, 404, { root: ["Document not found"] })
        if (broken.get(id) === 429) return response.writeHead(429, { "retry-after": "120" }).end()
        if (broken.has(id)) return refuse(response, 500, { root: ["Failed to fetch transmitted document"] })
        return answered(response, answers.document, {
          success: true,
          document: { ...listed(kept), parsed: kept.parsed, xml: kept.xml }
        })
      case "POST documents/:id/mark-as-read":
        if (kept === undefined || !valid(requests.read)) return
        kept.readAt = new Date().toISOString()
        return answered(response, answers.done, { success: true })
      default:
        return refuse(response, 404, { root: [`No route ${route}.`] })
    }
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => undefined)
    request.on("end", () => handle(request, response, Buffer.concat(chunks).toString("utf8")))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo

  return {
    settings: { url: `http://127.0.0.1:${port}`, api_key: "key", api_secret: "secret", company_id },
    state,
    faults,
    documents,
    identifiers,
    documentTypes,
    silent,
    broken,
    receive: (xml: string, given: Partial<Kept> = {}) =>
      keep({ direction: "incoming", receiverId: ours, type: "invoice", xml, envelopeId: null, ...given }),
    /** Sends an answer of the recipient's access point about a document. */
    respond: (envelopeId: string | null, responseCode: "AB" | "AP" | "RE") =>
      keep({
        direction: "incoming",
        receiverId: ours,
        docTypeId: level_response_type,
        type: "messageLevelResponse",
        xml: levelResponse(envelopeId ?? "", responseCode),
        parsed: { id: "1", issueDate: "2026-03-01", responseCode, envelopeId }
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
