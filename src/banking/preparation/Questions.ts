import { Array as Arr, Effect, Schema } from "effect"
import { Owner, Mentioned, RecordedQuery } from "../matching/LineMatcher.ts"
import { RuleLine } from "../rules/RuleEngine.ts"
import type { PreparationSource } from "./Preparation.ts"
import { LineRules } from "./Rows.ts"

/** Maximum number of texts in one question to the service; a longer list is divided among several questions. */
const texts_max = 5_000

/**
 * The child process that prepares a file asks the service these questions, because only the service has the database.
 */
const Question = Schema.TaggedUnion({
  /** Asks for the next text of the open documents, because all of them at once would delay other requests. */
  Candidates: {},
  Recorded: RecordedQuery.fields,
  Owners: { ibans: Schema.Array(Schema.String) },
  Confirmed: {},
  Mentioned: { exact: Schema.Array(Schema.String), endings: Schema.Array(Schema.String) },
  Rules: { lines: Schema.Array(RuleLine) },
  Keep: { chunk: Schema.Uint8Array }
})
const encode = Schema.encodeEffect(Question)
const decode = Schema.decodeUnknownEffect(Question)

const Confirmation = Schema.Struct({ party: Schema.String, name: Schema.NullOr(Schema.String), text: Schema.String })

export const replyWith = (source: PreparationSource) => {
  /** The texts of the open documents that the child has not received yet, the last one first. */
  let texts: Array<string> | undefined
  return Effect.fnUntraced(function* (asked: unknown): Effect.fn.Return<unknown> {
    const question = yield* Effect.orDie(decode(asked))
    switch (question._tag) {
      case "Candidates":
        texts ??= (yield* source.candidates).toReversed()
        return texts.pop() ?? null
      case "Recorded":
        return yield* source.recorded(question)
      case "Owners":
        return yield* source.owners(question.ibans)
      case "Confirmed":
        return yield* source.confirmed
      case "Mentioned":
        return yield* source.mentioned(question.exact, question.endings)
      case "Rules":
        return yield* source.rulesOf(question.lines)
      case "Keep":
        return yield* source.keep(question.chunk)
    }
  })
}

/** Returns the source of data for the child process. It asks the service for everything that is in the database. */
export const sourceOf = (ask: (question: unknown) => Promise<unknown>, auto_threshold: number): PreparationSource => {
  const asked = <A>(question: typeof Question.Type, Reply: Schema.Codec<A, unknown>): Effect.Effect<A> =>
    encode(question).pipe(
      Effect.flatMap((encoded) => Effect.promise(() => ask(encoded))),
      Effect.flatMap(Schema.decodeUnknownEffect(Schema.toType(Reply))),
      Effect.orDie
    )
  return {
    auto_threshold,
    candidates: Effect.gen(function* () {
      const texts: Array<string> = []
      const next = asked({ _tag: "Candidates" }, Schema.NullOr(Schema.String))
      for (let text = yield* next; text !== null; text = yield* next) texts.push(text)
      return texts
    }),
    recorded: (query) => asked({ _tag: "Recorded", ...query }, Schema.String),
    owners: (ibans) =>
      Effect.map(
        Effect.forEach(Arr.chunksOf(ibans, texts_max), (ibans) =>
          asked({ _tag: "Owners", ibans }, Schema.Array(Owner))
        ),
        (chunks) => chunks.flat()
      ),
    confirmed: asked({ _tag: "Confirmed" }, Schema.Array(Confirmation)),
    mentioned: Effect.fnUntraced(function* (exact, endings) {
      const whole = Arr.chunksOf(exact, texts_max).map((exact) => ({ _tag: "Mentioned" as const, exact, endings: [] }))
      const ends = Arr.chunksOf(endings, texts_max).map((endings) => ({
        _tag: "Mentioned" as const,
        exact: [],
        endings
      }))
      const chunks = yield* Effect.forEach([...whole, ...ends], (question) => asked(question, Schema.Array(Mentioned)))
      return chunks.flat()
    }),
    rulesOf: (lines) => asked({ _tag: "Rules", lines }, LineRules),
    keep: (chunk) => asked({ _tag: "Keep", chunk }, Schema.Undefined)
  }
}
