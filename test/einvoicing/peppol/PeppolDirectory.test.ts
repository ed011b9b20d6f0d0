import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PeppolDirectory } from "../../../src/einvoicing/peppol/PeppolDirectory.ts"
import { participantName } from "../../../src/einvoicing/peppol/ServiceLocator.ts"
import type { ParticipantIdentifier } from "../../../src/einvoicing/providers/Provider.ts"
import { AppConfig, type Settings } from "../../../src/platform/config/AppConfig.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { response_type } from "./AccessPoint.ts"
import { authorities } from "./Authority.ts"
import { billing, groupXml, metadataPublisher, metadataXml, redirectXml, signed } from "./MetadataPublisher.ts"
import { nameServer, smpAt } from "./NameServer.ts"

const zone = "participant.sml.test"
const ours: ParticipantIdentifier = { scheme: "0208", value: "0202239951" }
const spelled = "0208:0202239951"
const certificates = authorities()
const folder = mkdtempSync(join(tmpdir(), "invoicing-peppol-"))
const trusted = join(folder, "trusted.pem")
writeFileSync(trusted, certificates.trusted)

let dns: Awaited<ReturnType<typeof nameServer>>
let smp: Awaited<ReturnType<typeof metadataPublisher>>

beforeAll(async () => {
  dns = await nameServer()
  smp = await metadataPublisher()
})

afterAll(async () => {
  await dns.close()
  await smp.close()
  rmSync(folder, { recursive: true })
})

const layerWith = (allowedTargets: ReadonlyArray<string>, certificates = trusted) =>
  PeppolDirectory.layer.pipe(
    Layer.provide(Outbound.layer),
    Layer.provide(
      // Boundary: the directory reads only these settings.
      Layer.succeed(AppConfig, {
        production: false,
        webhooks: { allowHttp: true, allowedTargets, timeScale: 1 },
        peppol: { smlZone: zone, dnsServers: [dns.address], trustedCertificates: Option.some(certificates) }
      } as Settings)
    ),
    Layer.provide(NodeServices.layer)
  )

const lookup = (identifier: ParticipantIdentifier, allowed: ReadonlyArray<string> = [smp.target]) =>
  PeppolDirectory.use(({ lookup }) => (lookup === undefined ? Effect.die("no lookup") : lookup(identifier))).pipe(
    Effect.result,
    Effect.provide(layerWith(allowed)),
    Effect.runPromise
  )

/** Returns the participant's document types, "nobody", or the message of the outage. */
const found = async (identifier = ours, allowed?: ReadonlyArray<string>) => {
  const answer = await lookup(identifier, allowed)
  if (answer._tag === "Failure") return answer.failure.message
  return Option.match(answer.success, { onNone: () => "nobody", onSome: ({ document_types }) => document_types })
}

const metadata = (type: "invoice" | "credit_note", changes: object = {}) =>
  metadataXml({
    participant: spelled,
    document_type: billing[type],
    certificate: certificates.publisher.cert,
    ...changes
  })

/** Publishes a participant that accepts invoices and credit notes; a test may replace the metadata about invoices. */
const published = (invoice = signed(metadata("invoice"), certificates.publisher)) => {
  dns.entries.set(participantName(ours, zone), [smpAt(smp.url)])
  smp.pages.clear()
  smp.pages.set(smp.groupPath(spelled), groupXml(smp.url, spelled, Object.values(billing)))
  smp.pages.set(smp.metadataPath(spelled, billing.invoice), invoice)
  const note = signed(metadata("credit_note"), certificates.publisher)
  smp.pages.set(smp.metadataPath(spelled, billing.credit_note), note)
}

describe("the name of a participant", () => {
  it.each([
    ["9915", "test", "eh5boavaktmbgzyh2a63dz4qov33fvp5nsdvqklucfraayoodw6a"],
    ["0088", "123ABC", "y7dzfxaf3d4cjz4kcgrxtec6twvcga4ky7zwa5boif6mswd4tdrq"],
    ["0088", "123abc", "y7dzfxaf3d4cjz4kcgrxtec6twvcga4ky7zwa5boif6mswd4tdrq"],
    ["0010", "5798000000001", "xukhfqabqziki3ykvr2fhr4snfa3pf5vpq6k4tonv3lmvsy5arvq"],
    ["0208", "0202239951", "ferpw6ovd2ckfw5cels4n6jn3tagg6xoyrywt35wfsbkfymhbwnq"]
  ])("of %s:%s is the published one", async (scheme, value, hash) => {
    expect(participantName({ scheme, value }, zone)).toBe(`${hash}.iso6523-actorid-upis.${zone}`)
    dns.asked.length = 0
    expect(await found({ scheme, value })).toBeDefined()
    expect(dns.asked).toContain(`${hash}.iso6523-actorid-upis.${zone}`)
  })
})

describe("a lookup", () => {
  it("finds which documents a participant accepts, ignoring the case of the identifier", async () => {
    published()
    expect(await found()).toEqual(["invoice", "credit_note"])
    const foreign: ParticipantIdentifier = { scheme: "9920", value: "ESX1234567X" }
    dns.entries.set(participantName(foreign, zone), [smpAt(smp.url)])
    smp.pages.set(smp.groupPath("9920:esx1234567x"), groupXml(smp.url, "9920:esx1234567x", []))
    expect(await found(foreign)).toEqual([])
    expect(await found({ ...foreign, value: "esx1234567x" })).toEqual([])
  })

  it("distinguishes an unknown participant from an outage", async () => {
    published()
    const name = participantName(ours, zone)
    dns.entries.delete(name)
    expect(await found()).toBe("nobody")
    dns.entries.set(name, [])
    expect(await found()).toBe("nobody")
    dns.entries.set(name, "SERVFAIL")
    expect(await found()).toContain("did not answer")
    dns.entries.set(name, [smpAt(smp.url, "Meta:Other")])
    expect(await found()).toContain("names no SMP")
    dns.entries.set(name, [smpAt(smp.url)])
    smp.pages.delete(smp.groupPath(spelled))
    expect(await found()).toBe("nobody")
    smp.pages.set(smp.groupPath(spelled), (response) => response.writeHead(500).end())
    expect(await found()).toContain("answers 500")
    smp.pages.set(smp.groupPath(spelled), (response) => response.writeHead(302, { location: "/" }).end())
    expect(await found()).toContain("answers 302")
    smp.pages.set(smp.groupPath(spelled), "x".repeat(2_000_000))
    expect(await found()).toContain("too long")
  })

  it("knows who takes no credit notes, or nothing by this process, transport or day", async () => {
    published()
    smp.pages.set(smp.groupPath(spelled), groupXml(smp.url, spelled, [billing.invoice]))
    expect(await found()).toEqual(["invoice"])
    const faults = [
      { process: "urn:other" },
      { transport: "busdox-transport-as2-ver1p0" },
      { expires: "2025-01-01T00:00:00Z" }
    ]
    for (const fault of faults) {
      published(signed(metadata("invoice", fault), certificates.publisher))
      expect(await found()).toEqual(["credit_note"])
    }
  })

  it("knows who accepts Invoice Responses, and reports an outage", async () => {
    const takes = () =>
      PeppolDirectory.use(({ takesResponses }) => takesResponses?.(ours) ?? Effect.die("no lookup")).pipe(
        Effect.catchTag("NetworkUnavailable", ({ message }) => Effect.succeed(message)),
        Effect.provide(layerWith([smp.target])),
        Effect.runPromise
      )
    published()
    expect(await takes()).toBe(false)
    const process = "urn:fdc:peppol.eu:poacc:bis:invoice_response:3"
    const about = { participant: spelled, document_type: response_type, process }
    const metadata = metadataXml({ ...about, certificate: certificates.publisher.cert })
    smp.pages.set(smp.groupPath(spelled), groupXml(smp.url, spelled, [response_type]))
    smp.pages.set(smp.metadataPath(spelled, response_type), signed(metadata, certificates.publisher))
    expect(await takes()).toBe(true)
    smp.pages.set(smp.metadataPath(spelled, response_type), (response) => response.writeHead(500).end())
    expect(await takes()).toContain("answers 500")
    dns.entries.delete(participantName(ours, zone))
    expect(await takes()).toBe(false)
  })

  it.each([
    ["unsigned metadata", () => metadata("invoice"), "does not have one signature"],
    [
      "a signature of a stranger",
      () => signed(metadata("invoice"), certificates.forger),
      "not issued by a trusted authority"
    ],
    [
      "a certificate that a publisher issued",
      () => signed(metadata("invoice"), certificates.child),
      "not issued by a trusted authority"
    ],
    [
      "a changed endpoint",
      () => signed(metadata("invoice"), certificates.publisher).replace("ap.example.com", "ap.example.org"),
      "does not match"
    ],
    [
      "the answer about another participant",
      () => signed(metadata("invoice", { participant: "0208:0428759497" }), certificates.publisher),
      "another query"
    ],
    [
      "the answer about another document",
      () => signed(metadata("credit_note"), certificates.publisher),
      "another query"
    ],
    ["a DOCTYPE", () => `<!DOCTYPE a>${signed(metadata("invoice"), certificates.publisher)}`, "not trusted"],
    ["garbage", () => "<html>", "not trusted"]
  ])("does not believe %s", async (_, xml, sentence) => {
    published(xml())
    expect(await found()).toContain(sentence)
  })

  it("follows one signed redirect, and no second one", async () => {
    const elsewhere = `${smp.url}/elsewhere`
    published(signed(redirectXml(elsewhere), certificates.publisher))
    smp.pages.set("/elsewhere", signed(metadata("invoice"), certificates.publisher))
    expect(await found()).toEqual(["invoice", "credit_note"])
    smp.pages.set("/elsewhere", signed(redirectXml(elsewhere), certificates.publisher))
    expect(await found()).toContain("redirects twice")
    published(redirectXml(elsewhere))
    expect(await found()).toContain("signature")
  })

  it("calls no private address that a stranger named", async () => {
    for (const url of [smp.url, "http://169.254.169.254/latest", "https://[::1]/", "https://localhost/"]) {
      published()
      smp.asked.length = 0
      dns.entries.set(participantName(ours, zone), [smpAt(url)])
      expect(await found(ours, [])).toContain("cannot be queried")
      expect(smp.asked).toEqual([])
    }
    published(signed(redirectXml("http://169.254.169.254/latest"), certificates.publisher))
    expect(await found()).toContain("cannot be queried")
  })
})

describe("a file of trusted certificates", () => {
  const empty = join(folder, "empty.pem")
  const malformed = join(folder, "malformed.pem")
  writeFileSync(empty, "invoicing\n")
  writeFileSync(malformed, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")

  it.each([
    [join(folder, "missing.pem"), "cannot be read."],
    [empty, "holds no certificate (PEM)."],
    [malformed, "is malformed."]
  ])("stops the start when it cannot be used: %s %s", async (file, why) => {
    const failed = Layer.build(layerWith([], file)).pipe(Effect.scoped, Effect.flip, Effect.runPromise)
    const { message } = await failed
    expect(message).toContain("PEPPOL_TRUSTED_CERTIFICATES is invalid: ")
    expect(message).toContain(file)
    expect(message).toContain(why)
  })
})
