import { Effect, ManagedRuntime } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { arrivalReader, ArrivalReader } from "../../../src/einvoicing/received/reading/ArrivalReader.ts"
import { now } from "../../../src/kernel/Calendar.ts"
import { certificatesIn } from "../../../src/platform/crypto/signatures/Certificates.ts"
import { crossIndustryInvoice, ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { attachmentBombPdf, attachmentPdf } from "../../support/files/HostilePdfs.ts"
import { fatturaPa } from "./Fatture.ts"
import { makeSigner } from "./SignedFile.ts"

const hasChild = () =>
  readdirSync("/proc").some((name) => {
    try {
      return (
        readFileSync(`/proc/${name}/cmdline`, "utf8").includes("ArrivalReaderChild") &&
        readFileSync(`/proc/${name}/status`, "utf8").includes(`\nPPid:\t${process.pid}\n`)
      )
    } catch {
      return false
    }
  })

/** The processes start with a low priority, which takes long on a busy machine. */
const test_duration_max_ms = 180_000

const shared = ManagedRuntime.make(arrivalReader())
afterAll(() => shared.dispose())

/** Reads a file, and tells whether a child process was started for it. */
const reading = (bytes: Uint8Array, trusted = "") =>
  Effect.gen(function* () {
    const reader = yield* ArrivalReader
    const arrival = { transmission_id: "t-1", at: yield* now, bytes, trusted: certificatesIn(trusted) }
    return { ...(yield* reader.read(arrival)), isApart: hasChild() }
  })

const utf8 = new TextEncoder()

describe("a file that arrives", () => {
  it("is read in this process if it is small XML", async () => {
    const small = await shared.runPromise(reading(utf8.encode(ublInvoice())))
    expect(small).toMatchObject({ isApart: false, content_type: "application/xml", readings: [{ number: "000123" }] })
  })

  it(
    "is read in a child process if it is a PDF",
    async () => {
      const pdf = await shared.runPromise(reading(attachmentPdf("factur-x.xml", crossIndustryInvoice())))
      expect(pdf).toMatchObject({
        isApart: true,
        content_type: "application/pdf",
        readings: [{ syntax: "cii", number: "000123", problem: null }]
      })
    },
    test_duration_max_ms
  )

  it(
    "is read in a child process if it is large, with its signature and the trust in the signer",
    async () => {
      const signer = makeSigner()
      const remark = `<!-- ${"long ".repeat(20_000)} -->`
      const large = signer.p7m(fatturaPa().replace("<FatturaElettronicaHeader>", `${remark}$&`))
      const signed = await shared.runPromise(reading(large, signer.authority))
      signer.close()
      expect(signed).toMatchObject({
        isApart: true,
        content_type: "application/pkcs7-mime",
        readings: [{ number: "FT/7", problem: null, signature: { status: "valid", trust: "trusted" } }]
      })
    },
    test_duration_max_ms
  )

  it(
    "counts as unreadable if it exhausts the memory of the child process",
    async () => {
      const bomb = await Effect.runPromise(
        reading(attachmentBombPdf()).pipe(Effect.provide(arrivalReader({ memory_bytes_max: 150_000_000 })))
      )
      expect(bomb).toMatchObject({
        content_type: "application/pdf",
        readings: [{ syntax: null, total: null, problem: expect.stringContaining("too much memory") }],
        counterparty_name: null,
        parties: null,
        document_reference: null
      })
    },
    test_duration_max_ms
  )

  it(
    "counts as readable later if the system kills the child process",
    async () => {
      const entry = new URL("./KilledReader.ts", import.meta.url)
      const killed = reading(attachmentPdf("factur-x.xml", crossIndustryInvoice()))
      const error = await Effect.runPromise(Effect.flip(killed).pipe(Effect.provide(arrivalReader({ entry }))))
      expect(error).toMatchObject({ _tag: "ArrivalUnread", message: expect.stringContaining("SIGKILL") })
    },
    test_duration_max_ms
  )
})
