import { Effect, Option } from "effect"
import { rootCertificates } from "node:tls"
import { describe, expect, it } from "vitest"
import { placeOf } from "../../../../src/einvoicing/providers/connections/Connections.ts"
import { ConnectionsRepo } from "../../../../src/einvoicing/providers/connections/ConnectionsRepo.ts"
import { OrganizationId } from "../../../../src/kernel/Ids.ts"
import { SecretBox } from "../../../../src/platform/crypto/SecretBox.ts"
import { usePanel } from "../Panel.ts"

const { app, enter, fill } = usePanel()

const [authority = ""] = rootCertificates

/** Returns the settings that are stored for a connection. */
const storedSettings = (organization_id: number) =>
  app.run(
    Effect.gen(function* () {
      const key = { organization_id: OrganizationId.make(organization_id), provider: "it_sdi" as const }
      const { sealed_settings } = yield* Effect.map((yield* ConnectionsRepo).find(key), Option.getOrThrow)
      return JSON.parse(yield* (yield* SecretBox).open(sealed_settings, placeOf(key)))
    }).pipe(Effect.provide([ConnectionsRepo.layer]))
  )

/** A mailbox at servers that cannot be reached, which does not prevent a connection. */
const mailbox = {
  pec_address: " fatture@pec.example.it ",
  smtp_host: "127.0.0.1",
  smtp_port: "1",
  smtp_security: "none",
  smtp_password: " secret ",
  imap_host: "127.0.0.1",
  imap_port: "1",
  imap_security: "none"
}

describe("E-invoicing providers in the panel", () => {
  it("get certificates of several lines, and passwords with their spaces", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Certified", country: "IT" })
    const connections = `/admin/organizations/${id}/connections`
    const form = `${connections}/connect/sdi_pec`
    const shown = (await admin.get(form)).text
    expect(shown).toContain('<textarea id="trusted_certificates"')
    expect((await admin.get(`${connections}/connect/aeat`)).text).toContain('<textarea id="authority"')
    expect(shown).not.toContain("This replaces all settings")
    const lines = `${authority}\n${authority}`.replaceAll("\n", "\r\n")
    expect((await fill(admin, form, { ...mailbox, trusted_certificates: lines })).status).toBe(303)
    expect(await storedSettings(id)).toEqual({
      ...mailbox,
      pec_address: "fatture@pec.example.it",
      trusted_certificates: `${authority}\n${authority}`.trim()
    })
    const again = (await admin.get(form)).text
    expect(again).toMatch(/This replaces all settings of the connection sdi_pec \(it_sdi\), also those/)
  })
})
