import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sweepAttachments } from "../../../src/billing/invoices/attachments/AttachmentsSweep.ts"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import type { Answer } from "../../support/App.ts"

interface File {
  readonly part?: string
  readonly name: string
  readonly bytes: Uint8Array
  readonly fields?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly token?: string
}

const headersOf = (books: Books, token = books.owner.token) => ({
  authorization: `Bearer ${token}`,
  "x-organization-id": String(books.id)
})

/** Runs the service with files in its data folder, and returns helpers for requests about attachments. */
export const useAttachments = (changes: Partial<Settings> = {}) => {
  const { app, open } = useBilling(changes)

  const send = async (
    books: Books,
    invoice: number,
    body: NonNullable<RequestInit["body"]>,
    headers: Record<string, string> = {}
  ) => {
    const response = await fetch(`${app.url}/api/v1/invoices/${invoice}/attachments`, {
      method: "POST",
      headers: { ...headersOf(books), ...headers },
      body
    })
    const text = await response.text()
    const answer: Answer = { status: response.status, headers: response.headers, body: JSON.parse(text), text }
    return answer
  }

  const upload = (books: Books, invoice: number, { bytes, fields = {}, headers, name, part, token }: File) => {
    const form = new FormData()
    for (const [field, text] of Object.entries(fields)) form.set(field, text)
    form.set(part ?? "file", new Blob([Uint8Array.from(bytes)]), name)
    return send(books, invoice, form, { ...headersOf(books, token), ...headers })
  }

  const download = async (books: Books, invoice: number, id: number, token?: string) => {
    const response = await fetch(`${app.url}/api/v1/invoices/${invoice}/attachments/${id}/download`, {
      headers: headersOf(books, token)
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString("latin1") }
  }

  const filesBelow = (folder: string) =>
    readdirSync(join(app.dataDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()

  const attachments = {
    download,
    list: (books: Books, invoice: number, query = "") => books.call("GET", `/invoices/${invoice}/attachments${query}`),
    remove: (books: Books, invoice: number, id: number, token = books.owner.token) =>
      books.call("DELETE", `/invoices/${invoice}/attachments/${id}`, undefined, { token }),
    sweep: Effect.suspend(sweepAttachments),
    /** Pretends that the process was killed two hours ago, after it stored the file and before it recorded this. */
    pretendCrash: (id: number) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update invoice_attachments set stored_at = null, created_at = now() - interval '2 hours'
          where id = ${id}`
      ),
    damage: (file: string, bytes: Uint8Array | undefined) => {
      if (bytes === undefined) return rmSync(file)
      chmodSync(file, 0o600)
      writeFileSync(file, bytes)
    }
  }

  return {
    app,
    open,
    attachments,
    upload,
    send,
    storedFiles: async () => filesBelow("objects"),
    /** Paths of the request bodies that are being received; empty when no request runs. */
    spooledFiles: () => filesBelow("spool")
  }
}
