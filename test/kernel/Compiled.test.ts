import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema, SchemaGetter } from "effect"
import { Day, Timestamp } from "../../src/kernel/Calendar.ts"
import { InvoiceDraft } from "../../src/billing/invoices/writing/InvoiceDraft.ts"
import { QuoteDraft } from "../../src/billing/quotes/Quote.ts"
import { compiled, isCompiled } from "../../src/kernel/Compiled.ts"
import { CustomerId } from "../../src/kernel/Ids.ts"
import { Amount } from "../../src/kernel/Money.ts"

const Period = Schema.Struct({ start: Day, end: Day }).check(Schema.makeFilter(({ end, start }) => start <= end))

const fields = {
  id: CustomerId,
  status: Schema.Literals(["draft", "sent"]),
  issue_date: Day,
  total: Amount,
  paid_at: Schema.NullOr(Timestamp),
  lines: Schema.Array(Schema.Struct({ price: Amount, note: Schema.NullOr(Schema.String) })),
  labels: Schema.Record(Schema.String, Schema.String),
  sums: Schema.Record(Schema.String, Amount),
  details: Schema.Record(Schema.String, Schema.Json),
  warnings: Schema.optionalKey(Schema.Array(Schema.String)),
  sent_on: Schema.optionalKey(Day),
  period: Schema.NullOr(Period),
  unit: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("C62"))),
  quantity: Amount.pipe(Schema.withDecodingDefaultKey(Effect.succeed(1)))
}
const theirs = Schema.Struct(fields)
const ours = compiled(Schema.Struct(fields))

const row = {
  id: 3,
  status: "sent",
  issue_date: "2026-02-28",
  total: "271.36",
  paid_at: new Date("2026-03-01T10:00:00.007Z"),
  lines: [{ price: 0.1, note: null }],
  labels: JSON.parse('{"a":"b","__proto__":"c","1":""}'),
  sums: { EUR: "1.25", USD: 2 },
  details: { number: "A-1", nested: [{ total: null }], none: [] },
  period: { start: "2026-03-01", end: "2026-03-31" },
  list_total: 12
}

const refused: ReadonlyArray<readonly [string, unknown]> = [
  ["no record", null],
  ["a list", []],
  ["an id that is none", { ...row, id: 0 }],
  ["another status", { ...row, status: "lost" }],
  ["a day that is none", { ...row, issue_date: "2026-02-29" }],
  ["an amount that is none", { ...row, total: "1e3" }],
  ["an instant that is none", { ...row, paid_at: "yesterday" }],
  ["a line that is none", { ...row, lines: [{ price: 1, note: null }, 7] }],
  ["a label that is none", { ...row, labels: { a: "b", c: 7 } }],
  ["labels that are none", { ...row, labels: ["a"] }],
  ["a sum that is none", { ...row, sums: { EUR: "many" } }],
  ["details that are none", { ...row, details: { a: Symbol("b") } }],
  ["a missing field", { id: 3 }],
  ["a missing field of a line", { ...row, lines: [{ price: 1 }] }],
  ["undefined where a field is optional", { ...row, warnings: undefined }],
  ["undefined where a field has a default", { ...row, unit: undefined }],
  ["another type where a field has a default", { ...row, quantity: "many" }]
]

const message = (schema: Schema.Codec<unknown, unknown>, input: unknown) =>
  Effect.map(Effect.flip(Schema.decodeUnknownEffect(schema, { errors: "all" })(input)), String)

describe("compiled", () => {
  it.effect("decodes what Effect decodes, without the fields that the schema does not name", () =>
    Effect.gen(function* () {
      const expected = yield* Schema.decodeUnknownEffect(theirs)(row)
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(ours)(row), expected)
      assert.notProperty(expected, "list_total")
      const warned = yield* Schema.decodeUnknownEffect(ours)({ ...row, warnings: ["late"] })
      assert.deepStrictEqual(warned.warnings, ["late"])
    })
  )

  it.effect("decodes a value that is given instead of a default", () =>
    Effect.gen(function* () {
      const given = { ...row, sent_on: "2026-03-01", unit: "HUR", quantity: "2.5" }
      const record = yield* Schema.decodeUnknownEffect(ours)(given)
      assert.deepStrictEqual(record, yield* Schema.decodeUnknownEffect(theirs)(given))
      assert.strictEqual(record.unit, "HUR")
    })
  )

  it.effect("encodes to the JSON that Effect encodes to, and reads it back", () =>
    Effect.gen(function* () {
      const record = yield* Schema.decodeUnknownEffect(theirs)(row)
      const json = yield* Schema.encodeEffect(Schema.toCodecJson(ours))(record)
      assert.deepStrictEqual(json, yield* Schema.encodeEffect(Schema.toCodecJson(theirs))(record))
      assert.deepStrictEqual(yield* Schema.decodeEffect(Schema.toCodecJson(ours))(json), record)
    })
  )

  it.effect("encodes values to the columns that Effect encodes them to", () =>
    Effect.gen(function* () {
      const record = yield* Schema.decodeUnknownEffect(theirs)(row)
      const columns = yield* Schema.encodeEffect(Schema.toCodecJson(compiled(Schema.toType(theirs))))(record)
      assert.deepStrictEqual(columns, yield* Schema.encodeEffect(Schema.toCodecJson(Schema.toType(theirs)))(record))
      assert.propertyVal(columns, "total", "271.36")
    })
  )

  for (const [name, input] of refused) {
    it.effect(`refuses ${name} with the messages of Effect`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* message(ours, input), yield* message(theirs, input))
        const within = [Schema.Struct({ data: ours }), Schema.Struct({ data: theirs })] as const
        assert.strictEqual(yield* message(within[0], { data: input }), yield* message(within[1], { data: input }))
      })
    )
  }

  it.effect("refuses a missing value with the message of Effect", () =>
    Effect.gen(function* () {
      const [mine, other] = [Schema.Struct({ data: ours }), Schema.Struct({ data: theirs })]
      assert.strictEqual(yield* message(mine, {}), yield* message(other, {}))
    })
  )

  it.effect("refuses to encode a value that is not an amount, or that a check refuses", () =>
    Effect.gen(function* () {
      const record = { ...(yield* Schema.decodeUnknownEffect(theirs)(row)), total: 7 }
      const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(ours))
      assert.strictEqual((yield* Effect.flip(encode(record)))._tag, "SchemaError")
      const period = { start: "2026-04-01", end: "2026-03-31" }
      const turned = { ...record, total: BigDecimal.fromBigInt(7n), period }
      assert.strictEqual((yield* Effect.flip(encode(turned)))._tag, "SchemaError")
      const whole = { ...record, total: BigDecimal.fromBigInt(7n) }
      assert.include(yield* encode(whole), { total: 7 })
    })
  )

  it.effect("keeps the checks after a narrowing that changes nothing", () =>
    Effect.gen(function* () {
      const Even = Schema.declare((input: unknown): input is number => typeof input === "number" && input % 2 === 0)
      const narrowed = Schema.Finite.pipe(
        Schema.decodeTo(Even, { decode: SchemaGetter.passthrough(), encode: SchemaGetter.passthrough() })
      )
      const decode = Schema.decodeUnknownEffect(compiled(Schema.Struct({ narrowed })))
      assert.deepStrictEqual(yield* decode({ narrowed: 2 }), { narrowed: 2 })
      assert.strictEqual((yield* Effect.flip(decode({ narrowed: 3 })))._tag, "SchemaError")
    })
  )

  it("compiles the bodies of frequent requests without leaving a part to Effect", () => {
    assert.isTrue(isCompiled(InvoiceDraft))
    assert.isTrue(isCompiled(QuoteDraft))
    assert.isFalse(isCompiled(compiled(Schema.Struct({ pair: Schema.Tuple([Schema.String, Schema.Int]) }))))
  })

  it.effect("leaves an asynchronous default to Effect", () =>
    Effect.gen(function* () {
      const unit = Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.as(Effect.yieldNow, "C62")))
      const decode = Schema.decodeUnknownEffect(compiled(Schema.Struct({ unit })))
      assert.deepStrictEqual(yield* decode({}), { unit: "C62" })
    })
  )

  it.effect("keeps the order of the fields, and supports names that are not identifiers", () =>
    Effect.gen(function* () {
      const fields = {
        "a-b": Schema.String,
        'quote"`${0}\\': Schema.String,
        maybe: Schema.optionalKey(Schema.Int),
        unit: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("C62"))),
        last: Schema.Int
      }
      const decode = Schema.decodeUnknownEffect(compiled(Schema.Struct(fields)))
      const whole = { "a-b": "1", 'quote"`${0}\\': "2", maybe: 3, unit: "HUR", last: 4 }
      assert.strictEqual(JSON.stringify(yield* decode(whole)), JSON.stringify(whole))
      const { maybe: _maybe, ...without } = whole
      assert.strictEqual(JSON.stringify(yield* decode(without)), JSON.stringify(without))
      const { unit: _unit, ...defaulted } = without
      assert.strictEqual(JSON.stringify(yield* decode(defaulted)), JSON.stringify({ ...without, unit: "C62" }))
      const { last: _last, ...unfinished } = whole
      assert.include(String(yield* Effect.flip(decode(unfinished))), "Missing key")
    })
  )

  it.effect("sets no prototype by a field of a record", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(
        compiled(Schema.Struct({ ["__proto__"]: Schema.Unknown, id: Schema.Int }))
      )
      const decoded = yield* decode(JSON.parse('{"__proto__":{"admin":true},"id":1}'))
      assert.strictEqual(Object.getPrototypeOf(decoded), Object.prototype)
      assert.notProperty(decoded, "admin")
    })
  )
})
