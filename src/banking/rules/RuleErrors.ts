import { Data, Effect, Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"

export class RuleBudgetExceeded extends Schema.Error<RuleBudgetExceeded>("RuleBudgetExceeded")(
  {
    ...refusal("RuleBudgetExceeded", "rule_budget_exceeded"),
    details: described(
      Schema.Struct({
        lines_tried: described(Schema.Int, "Number of transactions to which the rules were applied."),
        lines_total: described(Schema.Int, "Number of transactions to which the rules should be applied.")
      }),
      "Progress of applying the rules.",
      { lines_tried: 1200, lines_total: 5000 }
    )
  },
  {
    httpApiStatus: 422,
    description: "Trying the bank rules takes too long; simplify their regular expressions, or switch some of them off."
  }
) {
  static of(lines_tried: number, lines_total: number) {
    return new RuleBudgetExceeded({
      message: "Trying the bank rules takes too long: simplify their regular expressions, or deactivate some of them.",
      details: { lines_tried, lines_total }
    })
  }
}

/** The process that tests regular expressions could not be started, or got no time, because the machine is busy. */
export class RuleCheckUnavailable extends Schema.Error<RuleCheckUnavailable>("RuleCheckUnavailable")(
  refusal("RuleCheckUnavailable", "rule_check_unavailable"),
  { httpApiStatus: 503, description: "Regular expressions cannot be checked at the moment; try again later." }
) {
  static of() {
    return new RuleCheckUnavailable({ message: "Regular expressions cannot be checked at the moment." })
  }
}

/** The line is no longer left to its rule: a user has matched or unmatched it, or its suggestion has changed. */
export class RuleOutdated extends Data.TaggedError("RuleOutdated") {}

/**
 * The reason why rules are not applied to some lines: their regular expressions take too much processor time (`slow`),
 * or the machine was too busy to test these (`busy`).
 */
export const RuleStop = Schema.Literals(["slow", "busy"])
export type RuleStop = typeof RuleStop.Type

interface Progress {
  readonly rules: ReadonlyArray<unknown>
  readonly unruled: ReadonlySet<number>
  readonly stopped: RuleStop | null
}

/** Fails unless the rules were applied to all lines. */
export const requireRuled = ({ rules, stopped, unruled }: Progress) =>
  Effect.suspend((): Effect.Effect<void, RuleBudgetExceeded | RuleCheckUnavailable> => {
    if (stopped === null) return Effect.void
    const { length } = rules
    return Effect.fail(
      stopped === "busy" ? RuleCheckUnavailable.of() : RuleBudgetExceeded.of(length - unruled.size, length)
    )
  })
