import { createServer } from "node:http"

/** How long an exchange may take to say what it wants; a client that drips or says nothing is cut off. */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000
}

/** The node:http server behind the service: its own limits would wait for minutes. */
export const patientServer = () => createServer(patience)
