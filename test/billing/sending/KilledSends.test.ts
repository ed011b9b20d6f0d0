import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import { Random } from "../../../scripts/support/Random.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { testDatabase } from "../../support/database/Postgres.ts"
import { seedOrganization } from "../../support/database/Seed.ts"
import { here, type Service, startService } from "../../support/service/Service.ts"

const mails = await smtp()
const rounds = Number(process.env["KILLED_SENDS"] ?? 3)
const recipients_per_round = 8
const moment_ms_max = 100
const look_ms = 2
const tries_max = 600
const pause_ms = 100

interface Delivery {
  readonly recipient: string
  readonly status: string
  readonly error?: string
}

/** A client that can repeat a request which a killed process left unanswered. */
const clientOf = (token: string, organization: number) => {
  const ask = async (service: Service, path: string, body: object, key?: string) => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "x-organization-id": String(organization),
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      body: JSON.stringify(body)
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    ask,
    made: async (service: Service, path: string, body: object) => {
      const { status, text } = await ask(service, path, body)
      expect([status, text]).toEqual([201, text])
      return JSON.parse(text).data
    }
  }
}

type Client = ReturnType<typeof clientOf>

const document = (customer_id: number) => ({
  customer_id,
  issue_date: "2026-03-01",
  currency: "EUR",
  items: [{ description: "Consulting", unit_price: 100 }]
})

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)

const addresses = (round: number) =>
  Array.from({ length: recipients_per_round }, (_, index) => `slow-${round}-${index}@beta.eu`)

/** Counts the messages of a round that the mail server received for each recipient. */
const mailedTo = (round: number) =>
  new Map(addresses(round).map((one) => [one, mails.received.filter(({ to }) => to === one).length]))

/** The deliveries in an answer about a document or a batch, even if no recipient was reached. */
const deliveriesIn = (text: string): ReadonlyArray<Delivery> => {
  const { data, details, errors } = JSON.parse(text)
  const results: ReadonlyArray<{ readonly data: { readonly deliveries: ReadonlyArray<Delivery> } | null }> =
    data?.results ?? details?.results ?? []
  if (results.length > 0) return results.flatMap((result) => result.data?.deliveries ?? [])
  if (errors === undefined) return data.deliveries
  return Object.values<ReadonlyArray<string>>(errors).map(([error = ""]) => ({
    recipient: error.split(":", 1)[0] ?? "",
    status: "refused"
  }))
}

const kinds = ["invoice", "quote", "credit_note", "batch"] as const

/** Creates the documents of a round, and returns the path and the body of the request that sends them. */
const ordered = async (client: Client, service: Service, round: number, kind: (typeof kinds)[number]) => {
  const recipients = addresses(round)
  const given = { recipients, attach_pdf: false }
  const customer = (email: string) => client.made(service, "/customers", { name: "Beta", email })
  if (kind === "batch") {
    const invoice_ids = await Promise.all(
      recipients.map(async (email) => {
        const { id } = await customer(email)
        return (await client.made(service, "/invoices", { ...document(id), due_date: "2999-01-01" })).id
      })
    )
    return { path: "/batch/invoices/send", body: { invoice_ids, attach_pdf: false } }
  }
  const { id } = await customer("nobody@beta.eu")
  if (kind === "quote") {
    const quote = await client.made(service, "/quotes", { ...document(id), valid_until: "2999-01-01" })
    return { path: `/quotes/${quote.id}/send`, body: given }
  }
  const invoice = await client.made(service, "/invoices", { ...document(id), due_date: "2999-01-01" })
  if (kind === "invoice") return { path: `/invoices/${invoice.id}/send`, body: given }
  await client.ask(service, `/invoices/${invoice.id}/mark-sent`, {})
  const note = await client.made(service, "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "x" })
  return { path: `/credit-notes/${note.id}/send`, body: given }
}

it.layer(testDatabase, { excludeTestServices: true })("a send whose process is killed", (it) => {
  it.effect(
    "is finished by its key: never a mail twice, none missing, and what is unknown is said",
    () =>
      Effect.gen(function* () {
        const connection = yield* here
        const sql = yield* SqlClient.SqlClient
        const { id, owner } = yield* seedOrganization({})
        const client = clientOf(owner.token, id)
        const started: Array<Service> = []
        yield* Effect.addFinalizer(() =>
          Effect.promise(async () => {
            for (const { kill } of started) kill("SIGKILL")
            await Promise.all(started.map(({ ended }) => ended))
          })
        )
        const next = async () => {
          const service = await startService(connection, { SMTP_URL: mails.url, NODE_ENV: "development" })
          started.push(service)
          await service.listening
          return service
        }
        const runPromise = Effect.runPromiseWith(yield* Effect.context())
        /** Makes the leases of the killed process expire now; other tests check that leases expire by themselves. */
        const timePasses = Effect.gen(function* () {
          yield* sql`update idempotency_keys set leased_until = now() where status is null`
          yield* sql`update document_sendings set expires_at = now() - interval '1 second'`
        })

        const repeated = async (service: Service, path: string, body: object, key: string) => {
          for (let attempt = 0; attempt < tries_max; attempt++) {
            await runPromise(timePasses)
            const answer = await client.ask(service, path, body, key)
            if (answer.status !== 409 && answer.status < 500) return answer
            await sleep(pause_ms)
          }
          throw new Error(`${path} had no answer.`)
        }

        const figures = {
          rounds: 0,
          before_any: 0,
          after_all: 0,
          mailed_at_kill: 0,
          accepted: 0,
          unknown: 0,
          refused: 0
        }
        const run = async () => {
          let service = await next()
          for (let round = 1; round <= rounds; round++) {
            const random = new Random(round)
            const kind = kinds[round % kinds.length] ?? "invoice"
            const replacement = next()
            const { body, path } = await ordered(client, service, round, kind)
            await replacement
            const key = `round-${round}`
            const lost = client.ask(service, path, body, key).catch(() => undefined)
            const answered = lost.then(() => true)
            // The process is killed before the first mail, between two mails, or after the last one.
            const seen = random.whole(0, recipients_per_round)
            while (sum(mailedTo(round)) < seen && !(await Promise.race([answered, sleep(look_ms, false)])));
            await sleep(random.between(0, moment_ms_max))
            service.kill("SIGKILL")
            await service.ended
            await lost
            service = await replacement
            const at_kill = sum(mailedTo(round))
            const answer = await repeated(service, path, body, key)
            const deliveries = deliveriesIn(answer.text)
            const told = deliveries.map(({ recipient }) => recipient).toSorted()
            expect([kind, round, told]).toEqual([kind, round, addresses(round).toSorted()])
            const mailed = mailedTo(round)
            const wrong = deliveries.filter(({ recipient, status }) => {
              const allowed = { accepted: [1], unknown: [0, 1], refused: [0] }[status] ?? []
              return !allowed.includes(mailed.get(recipient) ?? -1)
            })
            expect([kind, round, wrong]).toEqual([kind, round, []])
            const again = await repeated(service, path, body, key)
            expect(again).toEqual(answer)
            figures.rounds++
            figures.mailed_at_kill += at_kill
            if (at_kill === 0) figures.before_any++
            if (at_kill === recipients_per_round) figures.after_all++
            for (const { status } of deliveries) {
              if (status === "accepted" || status === "unknown" || status === "refused") figures[status]++
            }
          }
        }
        yield* Effect.promise(run)
        console.log(`killed sends: ${JSON.stringify(figures)}`)
        expect(figures.accepted).toBeGreaterThan(0)
      }).pipe(Effect.scoped),
    60_000 + rounds * 60_000
  )
})
