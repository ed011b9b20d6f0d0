import { Effect } from "effect"
import { createServer } from "node:http"
import { decode, hex, messages, text, type Message } from "./Protobuf.ts"

interface Span {
  readonly name: string
  readonly trace_id: string
  readonly span_id: string
  readonly parent_id: string
  readonly status: "unset" | "ok" | "error"
  readonly attributes: Readonly<Record<string, string>>
}

/** An OTLP/HTTP collector on a free port that records what it receives (opentelemetry-proto, trace/v1 and logs/v1). */
export const collector = Effect.gen(function* () {
  const received: Array<{ readonly path: string; readonly body: Buffer }> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ path: request.url ?? "", body: Buffer.concat(chunks) })
      response.end()
    })
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined

  const under = (path: string) =>
    received.filter((post) => post.path === path).flatMap(({ body }) => messages(decode(body), 1))

  return {
    url: `http://127.0.0.1:${port}`,
    everything: () => received.map(({ body }) => body.toString("latin1")).join("\n"),
    services: () =>
      new Set(
        ["/v1/traces", "/v1/logs", "/v1/metrics"]
          .flatMap(under)
          .flatMap((resource) => messages(resource, 1))
          .map((resource) => attributesOf(resource, 1)["service.name"])
      ),
    spans: (): ReadonlyArray<Span> => children(under("/v1/traces")).map(spanOf),
    logs: () => children(under("/v1/logs")).map(logOf),
    metrics: () => children(under("/v1/metrics")).map((metric) => text(metric, 1))
  }
})

const children = (resources: ReadonlyArray<Message>) =>
  resources.flatMap((resource) => messages(resource, 2)).flatMap((scope) => messages(scope, 2))

const attributesOf = (message: Message, field: number): Record<string, string> =>
  Object.fromEntries(
    messages(message, field).map((pair) => [
      text(pair, 1),
      messages(pair, 2)
        .map((value) => text(value, 1) || String(value.get(3)?.[0] ?? ""))
        .join("")
    ])
  )

const statuses = ["unset", "ok", "error"] as const

const spanOf = (span: Message): Span => ({
  trace_id: hex(span, 1),
  span_id: hex(span, 2),
  parent_id: hex(span, 4),
  name: text(span, 5),
  status: statuses[Number(messages(span, 15)[0]?.get(3)?.[0] ?? 0)] ?? "unset",
  attributes: attributesOf(span, 9)
})

const logOf = (record: Message) => ({
  body: messages(record, 5)
    .map((value) => text(value, 1))
    .join(""),
  attributes: attributesOf(record, 6),
  trace_id: hex(record, 9),
  span_id: hex(record, 10)
})
