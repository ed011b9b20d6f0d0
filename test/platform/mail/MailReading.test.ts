import { describe, expect, it } from "vitest"
import { Effect } from "effect"
import { array, assert, asyncProperty, string, uint8Array } from "fast-check"
import type { MailMessage } from "../../../src/platform/mail/Mailer.ts"
import { readMail } from "../../../src/platform/mail/MailReading.ts"
import { mailText } from "../../../src/platform/mail/MailText.ts"

const message: MailMessage = {
  from: {
    address: "a@example.com",
    name: "Müller & Söhne, deren Name über mehr als eine Zeile geht, weil er lang ist"
  },
  to: { address: "b@example.com", name: `Bea "B" Beta` },
  subject: "Rechnung über 1.000 € für Leistungen im März, 請求書 und noch mehr Text, damit umgebrochen wird",
  text: "Grüße = gut.\n.Punkt\n\nhttps://example.com/d/doc_" + "a".repeat(120) + "\n",
  html: "<p>Grüße</p>",
  message_id: "1@example.com"
}

const read = (bytes: Uint8Array) => Effect.runPromise(readMail(bytes))
const written = (changes: Partial<MailMessage> = {}) => Effect.runPromise(mailText({ ...message, ...changes }))

describe("reading kept mail", () => {
  it("returns what was written", async () => {
    const content = new Uint8Array(5000).fill(65)
    const attachments = [{ filename: "Rechnung Ü 1.pdf", content_type: "application/pdf", content }]
    const bytes = await written({ attachments })
    expect(await read(bytes)).toMatchObject({
      from: `${message.from.name} <a@example.com>`,
      subject: message.subject,
      text: expect.stringContaining(message.text),
      attachments: [{ filename: "Rechnung Ü 1.pdf", size_bytes: 5000 }]
    })
    for (const head of [bytes, bytes.subarray(0, 1000)]) {
      expect(await read(head)).toMatchObject({ to: `Bea "B" Beta <b@example.com>`, subject: message.subject })
    }
  })

  it("returns any text and subject", async () => {
    const line = string({ unit: "grapheme", maxLength: 200 }).map((text) =>
      text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").trim()
    )
    await assert(
      asyncProperty(line, array(line, { maxLength: 5 }), async (subject, lines) => {
        const text = lines.join("\n")
        const kept = await read(await written({ subject, text }))
        expect(kept.subject.replaceAll(/\s+/g, " ")).toBe(subject.replaceAll(/\s+/g, " "))
        expect(kept.text.trimEnd()).toBe(text.trimEnd())
      }),
      { numRuns: 60 }
    )
  })

  it("accepts any bytes, and needs little time", async () => {
    await assert(
      asyncProperty(uint8Array({ maxLength: 2000 }), async (bytes) => {
        expect((await read(bytes)).attachments.length).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 100 }
    )
    expect((await read(new Uint8Array())).text).toBe("")
  })
})
