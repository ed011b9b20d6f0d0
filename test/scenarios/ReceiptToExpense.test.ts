import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { text_readers } from "../../src/expenses/receipts/reading/ReceiptQueue.ts"
import { type Answer, useApp } from "../support/App.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { nulPdf } from "../support/files/HostilePdfs.ts"
import { receipt_lines, receiptPdf, receiptPhoto } from "../support/files/PrintedReceipt.ts"

// The app uses the real reader in child processes.
const app = useApp({ role: "all", ocrProcesses: 1 })

const reading_seconds_max = 150

/** The receipt is from the day before yesterday, because an old one would need a review. */
const lines = () => {
  const [year, month, day] = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10).split("-")
  return receipt_lines.map((line) => line.replace("14.03.2026", `${day}.${month}.${year}`))
}

const open = async () => {
  const { id, owner } = await app.organization({ country: "DE", currency: "EUR" })
  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, `/api/v1${path}`, { token: owner.token, organization: id, body })

  const upload = async (bytes: Uint8Array, name: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [field, text] of Object.entries(fields)) form.set(field, text)
    form.set("receipt", new Blob([Uint8Array.from(bytes)]), name)
    const answer = await fetch(`${app.url}/api/v1/expenses/upload-receipt`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) },
      body: form
    })
    expect(answer.status).toBe(202)
    const { data } = (await answer.json()) as { data: { receipt_ref: string; poll_url: string } }
    return data
  }

  /** Polls at the interval that the service states, until the receipt has a final status. */
  const read = async (poll_url: string): Promise<Answer["body"]> => {
    for (let waited = 0; waited < reading_seconds_max;) {
      const answer = await app.call("GET", poll_url, { token: owner.token, organization: id })
      if (answer.status === 200) return answer.body.data
      expect(answer.status).toBe(202)
      const seconds = Number(answer.headers.get("retry-after"))
      await sleep(seconds * 1_000)
      waited += seconds
    }
    throw new Error("The receipt is not read.")
  }
  return { id, call, upload, read }
}

it("a photo of a receipt becomes an expense with the recognized fields", { timeout: 400_000 }, async () => {
  const { call, id, read, upload } = await open()
  const photo = await Effect.runPromise(receiptPhoto(2))
  const receipt = await read((await upload(photo, "IMG_0001.jpg")).poll_url)
  expect(receipt).toMatchObject({ source: "ocr", error: null, fields: { amount: "25.26", currency: "EUR" } })
  expect(["done", "needs_review"]).toContain(receipt.status)

  const created = await call("POST", "/expenses", { ...receipt.fields, receipt_path: receipt.receipt_path })
  expect(created.status).toBe(201)
  expect(created.body.data).toMatchObject({ amount: 25.26, receipt_path: receipt.receipt_path })
  const { events } = await app.run(verifiedAuditLog(id))
  expect(events.map(({ type }) => type)).toEqual(["receipt.processed", "expense.created"])
})

it(
  "a PDF completes the expense it was uploaded for, and is recognized when it is uploaded again",
  { timeout: 400_000 },
  async () => {
    const { call, read, upload } = await open()
    const { body } = await call("POST", "/expenses", {
      expense_date: "2026-03-14",
      category: "meals",
      amount: "25.26",
      currency: "EUR",
      description: "Breakfast"
    })
    const pdf = receiptPdf(lines())
    const { poll_url, receipt_ref } = await upload(pdf, "receipt.pdf", { expense_id: String(body.data.id) })
    const receipt = await read(poll_url)
    expect(receipt).toMatchObject({
      source: "pdf_text",
      expense_id: body.data.id,
      fields: { amount: "25.26", tax_amount: "2.83", currency: "EUR" }
    })
    const expense = await call("GET", `/expenses/${body.data.id}`)
    expect(expense.body.data).toMatchObject({
      description: "Breakfast",
      tax_amount: 2.83,
      receipt_path: receipt.receipt_path,
      vendor: receipt.fields.vendor
    })
    expect(await read((await upload(pdf, "again.pdf")).poll_url)).toMatchObject({ duplicate_of: receipt_ref })
  }
)

it("a PDF is read without the control characters in its text", { timeout: 400_000 }, async () => {
  const { read, upload } = await open()
  const pdf = nulPdf(lines().map((line) => line.replace("MUELLER", "MUE~LLER")))
  const receipt = await read((await upload(pdf, "receipt.pdf")).poll_url)
  expect(receipt).toMatchObject({ source: "pdf_text", fields: { amount: "25.26", vendor: "SUPERMARKT MUELLER GMBH" } })
})

const figures = async () => {
  const { text } = await app.call("GET", "/metrics")
  const of = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, figure]) => Number(figure)).reduce((sum, figure) => sum + figure, 0)
  return {
    processed: of(/^receipts_total\{[^}]*\} (\d+)/gm),
    failed: of(/^receipts_total\{outcome="failed"[^}]*\} (\d+)/gm),
    read: of(/^receipt_reading_duration_seconds_count(?:\{[^}]*\})? (\d+)/gm),
    under_way: of(/^receipt_readings(?:\{[^}]*\})? (\d+)/gm),
    readers: of(/^receipt_readers_max(?:\{[^}]*\})? (\d+)/gm)
  }
}

// Metrics count for the whole process, in which other test files may have read receipts before.
let before: Awaited<ReturnType<typeof figures>>
beforeAll(async () => {
  before = await figures()
})

it("/metrics counts the results, and the readers", async () => {
  const { failed, processed, read } = before
  const expected = { processed: processed + 4, failed, read: read + 4, under_way: 0, readers: 1 + text_readers }
  await expect.poll(figures, { timeout: 10_000 }).toEqual(expected)
})
