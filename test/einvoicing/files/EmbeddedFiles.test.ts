import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { useEinvoicing } from "../documents/Submitting.ts"
import { all, read } from "../ubl/XmlReader.ts"

const { app, open } = useEinvoicing()

const attach = async (own: Awaited<ReturnType<typeof open>>, id: number, name: string, content: string) => {
  const form = new FormData()
  form.append("file", new Blob([content]), name)
  const headers = { authorization: `Bearer ${own.owner.token}`, "x-organization-id": String(own.id) }
  const url = `${app.url}/api/v1/invoices/${id}/attachments`
  const { data } = JSON.parse(await (await fetch(url, { method: "POST", headers, body: form })).text())
  return data.id
}

const content = "hours,rate\n3,95\n"
const base64 = Buffer.from(content).toString("base64")

it("puts the embedded attachments of an invoice into its UBL, its CII and its submission, and no others", async () => {
  const books = await open()
  await books.register()
  const { id } = await books.draft()
  const hours = await attach(books, id, "hours.csv", content)
  await attach(books, id, "other.csv", "not,embedded\n")
  await books.made("PUT", `/invoices/${id}`, { embedded_attachment_ids: [hours] })
  expect((await books.validate({ id })).body.data).toMatchObject({ valid: true })
  const { id: submission } = await books.submitted({ id })
  const stored = (sql: SqlClient.SqlClient) => sql<{ xml: string }>`select xml from einvoices where id = ${submission}`
  const [row] = await app.run(Effect.flatMap(SqlClient.SqlClient, stored).pipe(Effect.orDie))
  expect(row?.xml).toContain(base64)
  const { text: ubl } = await books.call("GET", `/invoices/${id}/ubl`)
  expect(all(read(ubl), "AdditionalDocumentReference/Attachment/EmbeddedDocumentBinaryObject")).toEqual([base64])
  const { text: cii } = await books.call("GET", `/invoices/${id}/cii`)
  expect(cii.split(base64)).toHaveLength(2)
  expect(cii).not.toContain(Buffer.from("not,embedded\n").toString("base64"))
})

it("refuses to embed more than 5 MiB together", async () => {
  const books = await open()
  const { id } = await books.draft()
  const ids = []
  for (const name of ["a.csv", "b.csv"]) ids.push(await attach(books, id, name, "1,2\n".repeat(700_000)))
  const refused = await books.call("PUT", `/invoices/${id}`, { embedded_attachment_ids: ids })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["embedded_attachment_ids"]])
  await books.made("PUT", `/invoices/${id}`, { embedded_attachment_ids: ids.slice(0, 1) })
})
