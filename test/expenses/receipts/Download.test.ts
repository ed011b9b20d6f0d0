import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { receiptFile, useReceipts } from "./Uploading.ts"

const { app, filesOf, open, query } = useReceipts()

const uploaded = async (name: string, bytes: Buffer) => {
  const organization = await open()
  const { id, owner, upload } = organization
  const { receipt_ref } = (await upload({ name, bytes })).body.data
  const download = (caller = { id, token: owner.token }) =>
    fetch(`${app.url}/api/v1/expenses/ocr/${receipt_ref}/file`, {
      headers: { authorization: `Bearer ${caller.token}`, "x-organization-id": String(caller.id) }
    })
  return { ...organization, download }
}

describe("GET /api/v1/expenses/ocr/{receipt_ref}/file", () => {
  it("answers the uploaded file, byte for byte, to be saved under its name", async () => {
    const bytes = receiptFile(100_000)
    const { download } = await uploaded("déjeuner.pdf", bytes)
    const answer = await download()
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect(answer.headers.get("content-disposition")).toContain("filename*=UTF-8''d%C3%A9jeuner.pdf")
    expect(answer.headers.get("content-security-policy")).toContain("sandbox")
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it("answers 404 to other organizations, and for a receipt that has been removed", async () => {
    const { download, id } = await uploaded("lunch.pdf", receiptFile())
    const other = await open()
    expect((await download({ id: other.id, token: other.owner.token })).status).toBe(404)
    await query((sql) => sql`update receipts set status = 'removed' where organization_id = ${id}`)
    expect((await download()).status).toBe(404)
  })

  it("answers 503 for a file that is cut or missing in the storage, never 200", async () => {
    const { download, id } = await uploaded("lunch.pdf", receiptFile(5_000))
    const [file = ""] = filesOf(id)
    chmodSync(file, 0o600)
    writeFileSync(file, "cut")
    const cut = await download()
    expect([cut.status, await cut.json()]).toMatchObject([503, { code: "storage_unavailable" }])
    rmSync(file)
    expect((await download()).status).toBe(503)
  })
})
