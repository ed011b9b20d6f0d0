import { describe, expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { unzipped } from "../support/files/ZipReader.ts"

const { app, open } = useBilling({ role: "all" })

describe("a process with workers", () => {
  it("archives issued documents, and builds the requested export", async () => {
    const ours = await open({ plan: "business" })
    const invoice = await ours.issued()
    const objects = await until("the object", async () => {
      const found = await ours.made("GET", "/archive/documents")
      return found.length > 0 ? found : undefined
    })
    expect(objects).toMatchObject([{ document_id: invoice.id, object_kind: "pdf" }])

    const { id } = await ours.made("POST", "/archive/exports")
    const completed = await until("the export", async () => {
      const found = await ours.made("GET", `/archive/exports/${id}`)
      return found.status === "completed" ? found : undefined
    })
    const response = await fetch(completed.download_url, {
      headers: { authorization: `Bearer ${ours.owner.token}`, "x-organization-id": String(ours.id) },
      signal: AbortSignal.timeout(20_000)
    })
    const entries = await unzipped(new Uint8Array(await response.arrayBuffer()))
    expect([...entries.keys()]).toHaveLength(1 + 10)
    expect((await app.call("GET", "/metrics")).text).toContain("archive_incidents_open")
  })
})
