import { Effect, Layer } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { Pdf } from "../../../src/platform/documents/pdf/Pdf.ts"
import { type PdfRefused, PdfTooComplex, PdfUnavailable } from "../../../src/platform/documents/pdf/PdfErrors.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { drafts } from "../credit-notes/Credits.ts"

/** Reason of the refusals: too many documents wait already, or the document is too complex. */
let refused: PdfRefused = PdfUnavailable.of()
const refusing = Layer.succeed(Pdf, Pdf.of({ render: () => Effect.fail(refused) }))

const mails = await smtp()
const { app, open } = useBilling(mails.settings, { pdf: refusing })
let books: Books
beforeAll(async () => {
  books = await open()
})

const withPdf = { recipients: ["a@beta.eu"] }
const withoutPdf = { ...withPdf, attach_pdf: false }

describe.each(Object.entries(drafts))("while no PDF can be made, /%s", (kind, drafted) => {
  beforeAll(() => {
    refused = PdfUnavailable.of()
  })

  it("answers 503 for the file, with when to try again", async () => {
    const { id } = await drafted(books)
    const { body, headers, status } = await books.call("GET", `/${kind}/${id}/pdf`)
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "pdf_unavailable", "2"])
  })

  it("sends nothing with 503, stays a draft and leaves no gap in the numbers", async () => {
    const draft = await drafted(books)
    const { body, status } = await books.call("POST", `/${kind}/${draft.id}/send`, withPdf)
    expect([status, body.code, mails.received]).toEqual([503, "pdf_unavailable", []])
    const { updated_at: _, version: __, ...unchanged } = draft
    expect(await books.made("GET", `/${kind}/${draft.id}`)).toMatchObject(unchanged)
    const { number } = await books.made("POST", `/${kind}/${draft.id}/send`, withoutPdf)
    const next = await books.made("POST", `/${kind}/${(await drafted(books)).id}/send`, withoutPdf)
    expect(sequenceOf(next.number)).toBe(sequenceOf(number) + 1)
    expect(mails.received).toHaveLength(2)
    await app.run(verifiedAuditLog(books.id))
  })

  it("is shown in the portal all the same, whose file is 503 with an apology", async () => {
    const { id } = await drafted(books)
    await books.made("POST", `/${kind}/${id}/send`, withoutPdf)
    const link = mails.received.at(-1)?.link ?? ""
    expect(link).toMatch(new RegExp(`^${app.url}/d/doc_[\\w-]{43}$`))
    const page = await fetch(link)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1")])
    const file = await fetch(`${link}/pdf`)
    expect([file.status, file.headers.get("content-type")]).toEqual([503, expect.stringContaining("text/html")])
    expect(await file.text()).toContain("The PDF could not be made right now.")
  })
})

describe.each(Object.entries(drafts))("when the document is too complex for a PDF, /%s", (kind, drafted) => {
  beforeAll(() => {
    refused = PdfTooComplex.of()
  })

  it("answers 422 for the file, and for a send with it; without it the document is sent", async () => {
    const { id } = await drafted(books)
    const file = await books.call("GET", `/${kind}/${id}/pdf`)
    const sent = await books.call("POST", `/${kind}/${id}/send`, withPdf)
    const too_complex = [422, "pdf_too_complex"]
    expect([file.status, file.body.code, sent.status, sent.body.code]).toEqual([...too_complex, ...too_complex])
    expect(mails.received).toEqual([])
    await books.made("POST", `/${kind}/${id}/send`, withoutPdf)
    const page = await fetch(`${mails.received.at(-1)?.link}/pdf`)
    expect([page.status, await page.text()]).toEqual([422, expect.stringContaining("too large for a PDF")])
  })
})

const sequenceOf = (number: string) => Number(number.split("-").at(-1))
