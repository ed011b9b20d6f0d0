import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { StatementParser } from "../../../src/banking/statements/StatementParser.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"

const lines = "2026-01-05;-1,50;a line of some length, to be long\n".repeat(1_500)
const bytes = new TextEncoder().encode(`Date;Amount;Text\n${lines}`)
const job = { bytes, currency: CurrencyCode.make("EUR"), iban: null, format: undefined, mapping: undefined }

layer(StatementParser.layer, { excludeTestServices: true })("StatementParser of long files", (it) => {
  it.effect(
    "reads another organization's file when each has had one more turn, and refuses the tenth of one organization",
    () =>
      Effect.gen(function* () {
        const reading = yield* StatementParser
        const read: Array<string> = []
        const file = (organization_id: number, name: string) =>
          reading.read(job, OrganizationId.make(organization_id)).pipe(
            Effect.tap(() => Effect.sync(() => read.push(name))),
            Effect.result
          )
        const of = Array.from({ length: 10 }, (_, index) => file(1, `busy ${index + 1}`))
        const [busy] = yield* Effect.all([Effect.all(of, { concurrency: "unbounded" }), file(2, "other")], {
          concurrency: "unbounded"
        })
        assert.isAtMost(read.indexOf("other"), 2)
        const refused = busy.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
        assert.deepStrictEqual(refused, ["StorageUnavailable"])
      })
  )
})
