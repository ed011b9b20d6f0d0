import { Effect } from "effect"
import { createServer } from "node:http"

export interface WebhookSink {
  readonly target: string
  readonly received: (path: string) => ReadonlyMap<string, number>
}

export const webhookSink = Effect.acquireRelease(
  Effect.promise(() => start()),
  ({ stop }) => Effect.promise(stop)
)

const start = async () => {
  const paths = new Map<string, Map<string, number>>()
  const server = createServer((request, response) => {
    request.on("error", () => undefined).resume()
    request.on("end", () => {
      const path = request.url ?? ""
      const id = String(request.headers["webhook-id"])
      const events = paths.get(path) ?? new Map<string, number>()
      paths.set(path, events.set(id, (events.get(id) ?? 0) + 1))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    target: `127.0.0.1:${port}`,
    received: (path: string) => paths.get(path) ?? new Map<string, number>(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
