import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import type { ParticipantIdentifier } from "../../src/einvoicing/providers/Provider.ts"
import { makeSandbox } from "../../src/einvoicing/sandbox/SandboxNetwork.ts"
import { checkIdentifier } from "../../src/customers/identifiers/NetworkIdentifier.ts"
import { useApp } from "../support/App.ts"
import { magic, participant } from "../support/counterparts/Network.ts"
import { gln, network, transmission, ubl } from "./Sent.ts"
import { purgeSandbox } from "../../src/einvoicing/sandbox/SandboxPurge.ts"
import { sha256 } from "../support/files/Digest.ts"

const app = useApp()

const { poll, refusal, sender, submit } = network(app)

describe("the magic identifiers", () => {
  it("have valid check digits", () => {
    for (const value of Object.values(magic))
      expect([value, checkIdentifier("0088", value)]).toEqual([value, Option.none()])
  })

  it.each([
    ["accepted", "AS4:sent AB:delivered IP:null AP:accepted"],
    ["paid", "AS4:sent AB:delivered IP:null AP:accepted PD:null"],
    ["rejected", "AS4:sent AB:delivered RE:rejected"],
    ["under_query", "AS4:sent AB:delivered UQ:null"],
    ["conditionally_accepted", "AS4:sent AB:delivered CA:null"],
    ["silent", "AS4:sent"],
    ["undeliverable", "AS4:sent MLS-RE:failed"]
  ] as const)("decide on Peppol what becomes of a document: %s", async (name, expected) => {
    const sent = transmission(await sender(), gln(magic[name]))
    await submit(sent)
    const messages = await poll(sent)
    expect(messages.map(({ code, progress }) => `${code}:${progress}`).join(" ")).toBe(expected)
    expect(
      messages.every(({ progress, reason }) => reason !== null || !["rejected", "failed"].includes(progress ?? ""))
    ).toBe(true)
    expect(await poll(sent)).toEqual(messages)
  })

  it.each([
    ["accepted", "200 201 202 203 204 205"],
    ["paid", "200 201 202 203 204 205 212"],
    ["rejected", "200 201 202 203 204 210"],
    ["undeliverable", "200 201 202 221"]
  ] as const)("decide in France: %s", async (name, codes) => {
    const sent = transmission(await frenchSender(), gln(magic[name]), { number: `F-${name}` })
    await submit(sent, "fr_ctc")
    expect((await poll(sent, "fr_ctc")).map(({ code }) => code).join(" ")).toBe(codes)
  })
})

let french: Promise<ParticipantIdentifier> | undefined
const frenchSender = () => {
  french ??= sender({ country_code: "FR", identifier_scheme: "FR:SIRET", identifier_value: "73282932000074" })
  return french.then(({ value }) => ({ scheme: "0009", value }))
}

describe("a document", () => {
  it("comes with evidence that names its digest", async () => {
    const sent = transmission(await sender(), gln(magic.rejected))
    const { at, reference } = await submit(sent)
    const [first, , last] = await poll(sent)
    expect([first?.receipt?.type, last?.receipt?.type]).toEqual(["as4_receipt", "invoice_response"])
    const text = Buffer.from(last?.receipt?.bytes ?? []).toString()
    for (const part of [reference, sent.sha256, "RE", "The goods were not received."]) expect(text).toContain(part)
    // The sandbox responds without a delay here, so the first response has the time of acceptance.
    expect(first?.at).toBe(at)
  })

  it("is accepted once, however often it is submitted", async () => {
    const sent = transmission(await sender(), gln(magic.accepted))
    const [first, second] = await Promise.all([submit(sent), submit(sent)])
    expect(second).toEqual(first)
    expect(await submit(sent)).toEqual(first)
    expect(await poll(sent)).toHaveLength(4)
  })

  it("is refused when one of the same number is under way, and taken again when that was refused", async () => {
    const from = await sender()
    await submit(transmission(from, gln(magic.rejected), { number: "A-1" }))
    await submit(transmission(from, gln(magic.accepted), { number: "A-1" }))
    expect(await refusal(transmission(from, gln(magic.accepted), { number: "A-1" }))).toBe("duplicate")
    const credit = { number: "A-1", document_type: "credit_note" } as const
    await submit(transmission(from, gln(magic.accepted), credit))
    const other = await sender()
    await submit(transmission(other, gln(magic.accepted), { number: "A-1" }))
  })

  it("has one winner of two at once", async () => {
    const from = await sender()
    const both = [0, 1].map(() => transmission(from, gln(magic.accepted), { number: "A-1" }))
    const results = await Promise.allSettled(both.map((sent) => submit(sent)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  })

  it("reaches another organization, and only that one", async () => {
    const [from, to] = [await sender(), await sender()]
    await submit(transmission(from, to))
    expect(await refusal(transmission(from, { scheme: "0208", value: "0403170701" }))).toBe("recipient_unknown")
    expect(await refusal(transmission(from, await sender({ acts_as_receiver: false })))).toBe("recipient_unknown")
    const selective = await sender({ document_types: ["invoice"] })
    expect(await refusal(transmission(from, selective, { document_type: "credit_note" }))).toBe("recipient_incapable")
  })

  it("is refused from whoever is not registered to send", async () => {
    expect(await refusal(transmission({ scheme: "0208", value: "0403170701" }, gln(magic.accepted)))).toBe(
      "sender_unknown"
    )
    const receiver = await sender({ acts_as_sender: false })
    expect(await refusal(transmission(receiver, gln(magic.accepted)))).toBe("sender_unknown")
  })

  it("is read, and refused when it is not what it was sent as", async () => {
    const from = await sender()
    const to = gln(magic.accepted)
    const right = ubl("A-1", from, to)
    const wrong = {
      "not well-formed": right.slice(0, -10),
      "no XML": "hello",
      "a DOCTYPE": right.replace("?>", "?><!DOCTYPE Invoice>"),
      "an entity": right.replace("?>", '?><!DOCTYPE Invoice [<!ENTITY a "b">]>').replace("A-1", "&a;"),
      "another number": ubl("A-2", from, to),
      "another sender": ubl("A-1", to, to),
      "another recipient": ubl("A-1", from, from),
      "another kind": ubl("A-1", from, to, "CreditNote"),
      "too deep": right.replace("<cbc:ID>1</cbc:ID>", "<a>".repeat(100) + "</a>".repeat(100))
    }
    for (const [what, xml] of Object.entries(wrong)) {
      expect([what, await refusal(transmission(from, to, { number: "A-1", xml }))]).toEqual([
        what,
        "malformed_document"
      ])
    }
    const digest = { number: "A-1", sha256: sha256(Buffer.from("other")) }
    expect(await refusal(transmission(from, to, digest))).toBe("malformed_document")
    await submit(transmission(from, to, { number: "A-1" }))
  })
})

describe("a network", () => {
  it("that refuses, and one that is down, say so", async () => {
    const from = await sender()
    expect(await refusal(transmission(from, gln(magic.refused)))).toBe("refused")
    expect(await refusal(transmission(from, gln(magic.unavailable)))).toBe("NetworkUnavailable")
  })

  it("that is down at first accepts the third attempt", async () => {
    const sent = transmission(await sender(), gln(magic.unavailable_at_first))
    expect(await refusal(sent)).toBe("NetworkUnavailable")
    expect(await refusal(sent)).toBe("NetworkUnavailable")
    await submit(sent)
    expect(await poll(sent)).toHaveLength(4)
  })

  it("says nothing about what it does not have", async () => {
    expect(await poll(transmission(gln(magic.accepted), gln(magic.accepted)))).toEqual([])
  })

  it("keeps what it received when the caller's transaction is rolled back", async () => {
    const sent = transmission(await sender(), gln(magic.accepted))
    const rolledBack = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { peppol } = yield* makeSandbox
      return yield* sql.withTransaction(Effect.andThen(peppol.submit(sent), Effect.fail("rolled back" as const)))
    }).pipe(Effect.flip)
    expect(await app.run(rolledBack)).toBe("rolled back")
    expect(await poll(sent)).toHaveLength(4)
  })
})

describe("an authority", () => {
  it("hands a document to whomever it names, and answers for itself", async () => {
    const { call, id } = await participant(app, { country: "IT" })
    const italian = { country_code: "IT", identifier_scheme: "0211", identifier_value: "IT00743110157" }
    const body = {
      organization_id: id,
      legal_name: "Rossi",
      city: "Roma",
      postal_code: "00100",
      address_line1: "Via 1"
    }
    expect((await call("POST", "/einvoicing/register", { ...body, ...italian })).status).toBe(201)
    const sent = transmission({ scheme: "0211", value: "IT00743110157" }, { scheme: "0201", value: "ABC123" })
    await submit(sent, "it_sdi")
    expect((await poll(sent, "it_sdi")).map(({ code, source }) => `${code} ${source}`)).toEqual([
      "SDI authority",
      "RC authority",
      "EC01 recipient"
    ])
  })
})

const aged = (transmission_id: string, days: number) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        update network_transmissions set created_at = now() - make_interval(days => ${days})
        where transmission_id = ${transmission_id}::uuid`
    )
  )

it("the sandbox forgets transmissions, taken and not, after 180 days", async () => {
  const from = await sender()
  const [old, lately] = ["A-1", "A-2"].map((number) => transmission(from, gln(magic.accepted), { number }))
  const lost = transmission(from, gln(magic.unavailable_at_first), { number: "A-3" })
  if (old === undefined || lately === undefined) throw new Error("There are two.")
  await submit(old)
  await submit(lately)
  expect(await refusal(lost)).toBe("NetworkUnavailable")
  await aged(old.transmission_id, 181)
  await aged(lately.transmission_id, 179)
  await aged(lost.transmission_id, 181)
  expect(await app.run(purgeSandbox())).toBe(2)
  expect(await poll(old)).toEqual([])
  expect(await poll(lately)).toHaveLength(4)
  expect(await app.run(purgeSandbox())).toBe(0)
})
