import { createServer, type IncomingMessage } from "node:http"

/** How long an exchange may take to say what it wants; a client that drips or says nothing is cut off. */
const patience = {
  headersTimeout: 10_000,
  /** The longest an upload may take: 10 MB at 34 kB/s. */
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000
}

/** Any other body, 5 MiB at most, has to be there by then. */
const body_timeout_ms = 20_000

const isUpload = (contentType = "") => /^multipart\/form-data\b/i.test(contentType)

const hasBody = ({ headers }: IncomingMessage) =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined

const cutSlowBody = (request: IncomingMessage) => {
  if (!hasBody(request) || isUpload(request.headers["content-type"])) return
  const cut = setTimeout(() => request.complete || request.destroy(), body_timeout_ms)
  request.once("close", () => clearTimeout(cut))
}

/** The node:http server behind the service: its own limits would wait for minutes, which only an upload may take. */
export const patientServer = () =>
  // A request that waits for `100 Continue` is announced by an event of its own.
  createServer(patience).on("request", cutSlowBody).on("checkContinue", cutSlowBody)
