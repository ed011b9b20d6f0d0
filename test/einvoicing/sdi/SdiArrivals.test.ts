import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import type { Books } from "../../support/Billing.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { fatturaPa } from "../received/Fatture.ts"
import { makeSigner } from "../received/SignedFile.ts"
import { certified, mail } from "./CertifiedMail.ts"
import { hasDovecot } from "./Dovecot.ts"
import { useSdi } from "./ItalianSellers.ts"
import { assigned_address } from "./PecNetwork.ts"
import { sdiNotice } from "./SdiNotices.ts"

const { app, collect, connected, network, seller } = useSdi()
const signer = makeSigner()
afterAll(signer.close)

const listed = async ({ call }: Pick<Books, "call">): Promise<ReadonlyArray<{ readonly id: number }>> =>
  (await call("GET", "/einvoicing/received")).body.data

const encoded = (text: string) => Buffer.from(text).toString("base64")
const broken = (raw: string) => raw.replace(/(filename="smime\.p7s"[^]*?\r\n\r\n)[^]*?\r\n--/, "$1AAAA\r\n--")
const altered = (raw: string) => raw.replace(encoded("Messaggio di posta certificata"), encoded("Altro"))

describe.runIf(hasDovecot)("the signature of a certified mail", () => {
  it.each([
    ["that was changed", altered, "does not match the content"],
    ["with a broken signature", broken, "signature of the mail cannot be read"]
  ])("proves nothing about a mail %s", async (_, alter, reason) => {
    const books = await seller()
    const { id } = await books.sent()
    await books.transmit(id)
    network().state.alter = alter
    books.answer("RC")
    network().state.alter = (raw) => raw
    expect(await books.news(id)).toMatchObject({ status: "submitted" })
    expect(await books.ignored()).toEqual([{ reason: expect.stringContaining(reason) }])
  })

  it("proves nothing about a part other than the signed one", async () => {
    const books = await seller()
    const { id } = await books.sent()
    await books.transmit(id)
    const [file = expect.fail()] = books.issued()
    const notice = { name: "RC.xml", type: "application/xml", content: sdiNotice("RC", file, "1") }
    const about = { sender: assigned_address, recipient: books.address, subject: "", message_id: "1" }
    const headers = { "X-Trasporto": "posta-certificata", "Reply-To": assigned_address }
    const forged = certified(
      () => Buffer.from(""),
      { type: "posta-certificata", ...about },
      headers,
      mail({ From: assigned_address }, "", [notice])
    )
    const text = "Content-Type: text/plain\r\n\r\nHello"
    const signature = `Content-Transfer-Encoding: base64\r\n\r\n${signer.p7s(text).toString("base64")}`
    const parts = [text, signature, forged].map((part) => `--b\r\n${part}\r\n`).join("")
    const raw = `X-Trasporto: posta-certificata\r\nReply-To: ${assigned_address}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; boundary="b"\r\n\r\n${parts}--b--\r\n`
    network().imap.deliver(books.address, raw)
    expect(await books.news(id)).toMatchObject({ status: "submitted", network_status: "CONSEGNA" })
  })

  it("counts with a trust list only if a listed authority issued its certificate", async () => {
    const listed = await seller({ trusted_certificates: network().authority })
    const first = await listed.sent()
    await listed.transmit(first.id)
    listed.answer("RC")
    expect(await listed.news(first.id)).toMatchObject({ status: "delivered" })

    const other = await seller({ trusted_certificates: signer.authority })
    const second = await other.sent()
    await other.transmit(second.id)
    other.answer("RC")
    expect(await other.news(second.id)).toMatchObject({ status: "submitted", network_status: null })
    expect(await other.ignored()).toContainEqual({ reason: expect.stringContaining("configured authority") })
    const broken = await connected({ trusted_certificates: "nothing" })
    expect(JSON.stringify(await app.run(Effect.flip(broken.connect)))).toContain("trusted_certificates")
  })
})

describe.runIf(hasDovecot)("a document that the SdI delivers", () => {
  it("is archived byte for byte with its name, listed once, and becomes an expense", async () => {
    const books = await seller()
    const bytes = Buffer.from(fatturaPa())
    const file = { name: "IT00743110157_00A1B.xml", bytes, sdi_id: "77001" }
    const metadata = { name: "IT00743110157_00A1B_MT_001.xml", content: "" }
    for (let delivery = 0; delivery < 2; delivery++) {
      network().fromSdi(books.address, [
        { name: file.name, content: bytes },
        { ...metadata, content: sdiNotice("MT", file, "1") }
      ])
    }
    await collect()
    await collect()
    const [document, ...others] = await listed(books)
    expect(others).toEqual([])
    expect(document).toMatchObject({ provider: "it_sdi", sha256: sha256(bytes), number: "FT/7", total: 129.33 })
    const expense = await books.made("POST", `/einvoicing/received/${document?.id}/create-expense`, {})
    expect(expense.reference).toBe("FT/7")
  })

  it("is stored with the others of its mail, although the storage of one fails at first", async () => {
    const books = await seller()
    const files = ["FT/7", "FT/8"].map((number, index) => ({
      name: `IT00743110157_00B${index}.xml`,
      content: Buffer.from(fatturaPa().replace("FT/7", number))
    }))
    network().fromSdi(books.address, files)
    await app.inDatabase("alter table sdi_messages add constraint faulty check (position = 0) not valid")
    await collect()
    await app.inDatabase("alter table sdi_messages drop constraint faulty")
    await collect()
    const numbers = (await books.made("GET", "/einvoicing/received?sort=id")).map(
      ({ number }: { number: string }) => number
    )
    expect(numbers).toEqual(["FT/7", "FT/8"])
  })

  it("holds several invoices, which are listed one by one and become expenses", async () => {
    const books = await seller({ trusted_certificates: `${network().authority}${signer.authority}` })
    const content = signer.p7m(fatturaPa({ documents: 2 }).replace("FT/7", "FT/6"))
    const deliver = () => network().fromSdi(books.address, [{ name: "IT00743110157_00A1D.xml.p7m", content }])
    deliver()
    await collect()
    deliver()
    await collect()
    const documents = await listed(books)
    const signature = { status: "valid", trust: "trusted", note: null }
    const common = { total: 129.33, problem: null, sha256: sha256(content), signature }
    expect(documents).toMatchObject([
      { ...common, number: "FT/7" },
      { ...common, number: "FT/6" }
    ])
    for (const { id } of documents) {
      const { id: expense_id } = await books.made("POST", `/einvoicing/received/${id}/create-expense`, {})
      expect(expense_id).toEqual(expect.any(Number))
    }
  })

  it("works with a mailbox whose messages are renumbered, and changes nothing in the mailbox", async () => {
    const books = await seller()
    const content = signer.p7m(fatturaPa())
    const deliver = () => network().fromSdi(books.address, [{ name: "IT00743110157_00A1C.xml.p7m", content }])
    deliver()
    await collect()
    network().imap.renumber(books.address)
    deliver()
    await collect()
    const signature = { status: "valid", signer: "Mario Rossi", trust: "unchecked" }
    const signed = { content_type: "application/pkcs7-mime", number: "FT/7", problem: null, signature }
    expect([await listed(books), network().imap.count(books.address)]).toMatchObject([[signed], 2])
  })
})
