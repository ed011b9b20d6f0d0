import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { misshapen } from "../../../scripts/einvoicing/OfficialRules.ts"
import { sha256 } from "../../support/files/Digest.ts"
import { mail } from "./CertifiedMail.ts"
import { hasDovecot } from "./Dovecot.ts"
import { recipient, useSdi } from "./ItalianSellers.ts"
import { assigned_address, first_address } from "./PecNetwork.ts"
import { sdiNotice } from "./SdiNotices.ts"

const { app, connected, network, seller } = useSdi()

describe.runIf(hasDovecot)("an organization that is connected to its certified mail", () => {
  it("is refused with a wrong password of either server, and kept while one is down", async () => {
    const smtp = await connected({ smtp_password: "wrong" })
    expect((await app.run(Effect.flip(smtp.connect))).message).toContain("SMTP server refuses the login")
    const imap = await connected({ imap_password: "wrong" })
    expect((await app.run(Effect.flip(imap.connect))).message).toContain("IMAP server refuses the login")
    const open = await connected({ smtp_host: "mail.example", smtp_security: "none" })
    expect(JSON.stringify(await app.run(Effect.flip(open.connect)))).toContain("smtp_security")
    const down = await connected({ imap_port: "1" })
    expect(await app.run(down.connect)).toMatchObject({ last_error: expect.stringContaining("IMAP") })
  })

  it("sends an invoice and a credit note as files of their own, and follows them until they are delivered", async () => {
    const books = await seller()
    const { id, invoice_id } = await books.sent()
    expect(await books.transmit(id)).toBe("done")
    const [file] = books.issued()
    expect(file).toMatchObject({ to: first_address, name: expect.stringMatching(/^IT\d{11}_[A-Z0-9]{5}\.xml$/) })
    const { network_reference, xml_sha256 } = await books.state(id)
    expect([sha256(file?.bytes ?? ""), network_reference]).toEqual([xml_sha256, file?.name])
    expect(await books.news(id)).toMatchObject({ status: "submitted", network_status: "CONSEGNA" })
    const receipt = books.answer("RC")
    expect(await books.news(id)).toMatchObject({
      status: "delivered",
      network_status: "RC",
      network_reference: file?.sdi_id,
      environment: "production"
    })
    // Each of the three mails about the file enqueued an extra poll.
    const orders = `select from jobs where queue_name = 'einvoices.extra-poll' and id like '%${id}:opec%'`
    expect(await app.inDatabase(orders)).toHaveLength(3)
    const { receipts } = (await books.at(id, "/evidence")).body.data
    expect(receipts.map(({ type }: { type: string }) => type)).toEqual(["pec_receipt", "pec_receipt", "sdi_receipt"])
    expect(receipts[2].sha256).toBe(sha256(receipt))

    const note = await books.made("POST", "/credit-notes", { invoice_id, reason: "Reso", amount: 10 })
    const submitted = (await books.submit({ id: 0 }, { ...recipient, invoice_id: null, credit_note_id: note.id })).body
    expect(await books.transmit(submitted.data.id)).toBe("done")
    const second = books.issued()[1]
    expect(second).toMatchObject({ to: assigned_address, bytes: expect.anything() })
    expect(String(second?.bytes)).toContain("<TipoDocumento>TD04</TipoDocumento>")
    expect(sha256(second?.bytes ?? "")).toBe(submitted.data.xml_sha256)
    books.answer("RC")
    expect(await books.news(submitted.data.id)).toMatchObject({ status: "delivered", network_status: "RC" })
  })
})

describe.runIf(hasDovecot)("a notice of the Sistema di Interscambio", () => {
  it.each([
    ["MC", "sent", "MC"],
    ["AT", "sent", "AT"],
    ["DT", "delivered", "DT"],
    ["EC01", "accepted", "EC01"],
    ["EC02", "rejected", "EC02"]
  ] as const)("%s leads to the status %s", async (code, status, network_status) => {
    const books = await seller()
    const { id } = await books.sent()
    await books.transmit(id)
    books.answer(code)
    expect(await books.news(id)).toMatchObject({ status, network_status })
  })

  it("NS fails the document with the errors, and the corrected one is sent under a new name", async () => {
    const books = await seller()
    const { id, invoice_id } = await books.sent()
    await books.transmit(id)
    const [first] = network().issued.splice(-1)
    network().refused.push(first ?? expect.fail())
    network().notify(books.address, first ?? expect.fail(), "NS", [
      ["00311", "CodiceDestinatario non valido"],
      ["00423", "PrezzoTotale non calcolato"]
    ])
    expect(await books.news(id)).toMatchObject({
      status: "failed",
      network_status: "NS",
      reason: "00311 CodiceDestinatario non valido; 00423 PrezzoTotale non calcolato"
    })
    const again = await books.submitted({ id: invoice_id }, { ...recipient, recipient_identifier_value: "KRRH6B9" })
    expect(await books.transmit(again.id)).toBe("done")
    expect(books.issued().at(-1)?.name).not.toBe(first?.name)
    books.answer("RC")
    expect(await books.news(again.id)).toMatchObject({ status: "delivered" })
  })

  it("is ignored, and kept with the reason, when it is about an unknown file or another content", async () => {
    const books = await seller()
    const { id } = await books.sent()
    await books.transmit(id)
    const [file = expect.fail()] = books.issued()
    network().notify(books.address, { ...file, name: "IT00743110157_ZZZZZ.xml" }, "RC")
    network().notify(books.address, { ...file, bytes: Buffer.from("<other/>") }, "NS", [["00200", "File non conforme"]])
    network().fromSdi(books.address, [{ name: "garbage.bin", content: "\u0000garbage" }])
    network().imap.deliver(books.address, "X-Ricevuta: accettazione\r\nContent-Type: multipart/mixed\r\n\r\n--\u0000")
    expect(await books.news(id)).toMatchObject({ status: "submitted", network_status: "CONSEGNA" })
    expect(await books.ignored()).toEqual([
      { reason: expect.stringContaining("neither a receipt nor a document") },
      { reason: expect.stringContaining("another hash") },
      { reason: expect.stringContaining("IT00743110157_ZZZZZ.xml, which is unknown") }
    ])
  })

  it("of any length is stored with short texts, and is ignored above 256 KiB", async () => {
    const books = await seller()
    const { id } = await books.sent()
    await books.transmit(id)
    const [file = expect.fail()] = books.issued()
    const notice = (reason: string) =>
      `<RicevutaImpossibilitaRecapito><IdentificativoSdI>${"7".repeat(5_000)}</IdentificativoSdI>
        <NomeFile>${file.name}</NomeFile><Descrizione>${reason}</Descrizione>
        <MessageId>${randomBytes(4_000).toString("hex")}</MessageId></RicevutaImpossibilitaRecapito>`
    const bring = (content: string) => network().fromSdi(books.address, [{ name: "MC.xml", content }])
    bring(notice("x".repeat(300_000)))
    expect(await books.news(id)).toMatchObject({ status: "submitted", network_status: "CONSEGNA" })
    expect(await books.ignored()).toMatchObject([{ reason: expect.stringContaining("neither a receipt") }])
    bring(notice("Casella piena. ".repeat(1_000)))
    const { network_reference, reason, status } = await books.news(id)
    expect([status, network_reference.length, reason?.length ?? 0]).toEqual(["sent", 180, 0])
    const [stored] = await app.inDatabase(`select length(reason) as reason, length(reference) as reference
      from sdi_messages where organization_id = ${books.id} and code = 'MC'`)
    expect(stored).toEqual({ reason: 1_000, reference: 183 })
  })

  it("counts only in a certified mail of the SdI", async () => {
    const books = await seller()
    const { id } = await books.sent()
    await books.transmit(id)
    const [file = expect.fail()] = books.issued()
    const forged = [{ name: "RC.xml", content: sdiNotice("RC", file, "1") }]
    network().fromSdi(books.address, forged, "sdi01@pec.evil.example")
    network().fromSdi(books.address, forged, assigned_address, { "X-Trasporto": "errore" })
    network().imap.deliver(
      books.address,
      mail(
        { From: assigned_address },
        "",
        forged.map((file) => ({ ...file, type: "application/xml" }))
      )
    )
    expect(await books.news(id)).toMatchObject({ status: "submitted", network_status: "CONSEGNA" })
    expect(await books.ignored()).toEqual([])
  })
})

describe.runIf(hasDovecot)("a failure of the certified mail", () => {
  it("that refuses the login leaves nothing behind, and is repeated", async () => {
    const books = await seller()
    const { id } = await books.sent("login_refused")
    expect(await books.transmit(id)).toBe("NetworkUnavailable")
    expect([books.issued().length, await books.transmit(id), books.issued().length]).toEqual([0, "done", 1])
  })

  it("without a receipt is repeated under the same name after 10 minutes, which the SdI refuses", async () => {
    const books = await seller()
    const { id } = await books.sent("lost_without_receipt")
    const before = [network().state.sends, network().refused.length]
    expect(await books.transmit(id)).toBe("NetworkUnavailable")
    expect(await books.transmit(id)).toBe("NetworkUnavailable")
    await books.later()
    expect(await books.transmit(id)).toBe("done")
    network().release()
    books.answer("RC")
    expect(await books.news(id)).toMatchObject({ status: "delivered", network_reference: books.issued()[0]?.sdi_id })
    const after = [network().state.sends, network().refused.length]
    expect([books.issued().length, ...after.map((count, at) => count - (before[at] ?? 0))]).toEqual([1, 2, 1])
  })

  it("that hides the mailbox repeats nothing until it is read again", async () => {
    const books = await seller()
    const { id } = await books.sent("lost_after")
    const before = network().state.sends
    expect(await books.transmit(id)).toBe("NetworkUnavailable")
    await books.later()
    await network().imap.stop()
    expect(await books.transmit(id)).toBe("NetworkUnavailable")
    const connection = async () => {
      const { data } = (await books.call("GET", "/einvoicing/providers")).body
      return data.find(({ code }: { code: string }) => code === "it_sdi").connection
    }
    const failed = await connection()
    expect(failed.last_error).toContain("IMAP")
    // A poll reads receipts that are already stored, which says nothing about the mailbox.
    await books.followExtra(id)
    expect(await connection()).toEqual(failed)
    await network().imap.start()
    expect(await books.transmit(id)).toBe("done")
    expect(network().state.sends).toBe(before + 1)
  })
})

describe.runIf(hasDovecot)("the counterpart", () => {
  it("accepts and writes what the official schemas allow", async () => {
    const rules = process.env["EINVOICING_RULES"] ?? ""
    if (!existsSync(join(rules, "fatturapa-xsd"))) {
      return void process.stderr.write(
        "The schemas of the SdI are absent (EINVOICING_RULES), so they judged nothing.\n"
      )
    }
    const folder = mkdtempSync(join(tmpdir(), "invoicing-sdi-"))
    const stored = (texts: ReadonlyArray<string>) =>
      texts.map((text, at) => {
        const path = join(folder, `${at}.xml`)
        writeFileSync(path, text)
        return path
      })
    // Notices about files of public offices have a different schema, so they are left out here.
    const notices = network().notices.filter((notice) => !notice.includes("sdi/messaggi"))
    expect(await misshapen(rules, "sdi_notice", stored(notices))).toEqual([])
    const files = stored(network().issued.map(({ bytes }) => String(bytes)))
    expect([await misshapen(rules, "fatturapa", files), files.length > 10]).toEqual([[], true])
    rmSync(folder, { recursive: true })
  })
})
