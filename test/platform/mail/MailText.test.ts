import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { MailMessage } from "../../../src/platform/mail/Mailer.ts"
import { failureOf, message, send, smtpServer } from "./SmtpServers.ts"

const headerNames = (text: string) =>
  text
    .slice(0, text.indexOf("\r\n\r\n"))
    .split(/\r\n(?![ \t])/)
    .map((line) => line.slice(0, line.indexOf(":")).toLowerCase())
    .toSorted()

describe("mailText", () => {
  it.live("adds no header and no recipient when a field has control characters", () =>
    Effect.gen(function* () {
      const { port, received } = yield* smtpServer()
      const attachment = { filename: "a.pdf", content_type: "application/pdf", content: new Uint8Array([1]) }
      const plain: MailMessage = {
        ...message,
        reply_to: { address: "owner@acme.eu", name: "Owner" },
        language: "en",
        attachments: [attachment]
      }
      yield* send(port, plain)
      const evils = [
        "\r\nBcc: evil@x.eu",
        "\nBcc: evil@x.eu",
        "\rBcc: evil@x.eu",
        "\u2028Bcc: evil@x.eu",
        "\u0000\r\n\r\n<b>"
      ]
      for (const evil of evils) {
        const from = { address: `billing@acme.eu${evil}`, name: `Acme${evil}` }
        const hostile: MailMessage = {
          ...plain,
          from,
          to: { address: "ana@beta.eu", name: `Ana${evil}` },
          reply_to: from,
          subject: `Invoice${evil}`,
          message_id: `a@b.eu${evil}`,
          language: `en${evil}`,
          attachments: [{ ...attachment, filename: `a${evil}.pdf`, content_type: `application/pdf${evil}` }]
        }
        yield* send(port, hostile)
        yield* send(port, { ...hostile, from: message.from })
        const addressed = yield* send(port, { ...plain, to: { address: `ana@beta.eu${evil}` } })
        expect(failureOf(addressed)[0]).toBe("MailRefused")
      }
      expect(received.length).toBeGreaterThan(evils.length)
      for (const { text, to } of received) {
        expect(headerNames(text)).toEqual(headerNames(received[0]?.text ?? ""))
        expect(text.match(/\nContent-Disposition:/g)).toHaveLength(1)
        expect(to).toEqual(["ana@beta.eu"])
      }
    })
  )
})
