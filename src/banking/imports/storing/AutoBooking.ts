import { Array as Arr, Context, Effect, Exit, Fiber, Layer } from "effect"
import type { BankImportId, BankRuleId } from "../../../kernel/Ids.ts"
import { counted } from "../../../kernel/Text.ts"
import { AuditLog } from "../../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../../platform/http/Security.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { LineDocuments } from "../../reconciliation/LineDocuments.ts"
import { BankRulesRepo } from "../../rules/BankRulesRepo.ts"
import type { Warning } from "../session/ImportSession.ts"
import { AutoBookingRepo } from "./AutoBookingRepo.ts"

/** Maximum number of lines that rules book in an import. A bulk confirmation can book the others. */
export const auto_booked_max = {
  /** While the client waits. */
  waiting: 500,
  /** In an operation. The time limit of its job, 10 minutes, suffices even if a booking takes 100 ms. */
  operation: 5_000
} as const

/** Number of lines after which the summary of the import is updated, so that a crash loses at most as many in its count. */
const noted_every = 100

/** Maximum number of warnings of refused bookings. */
const refusals_max = 20

export interface Booked {
  readonly auto_booked: number
  readonly warnings: ReadonlyArray<Warning>
}

/** Books the lines of imports by rules with `auto_add`. */
export class AutoBooking extends Context.Service<
  AutoBooking,
  {
    /**
     * Books the lines that an import left to the rules, each in its own transaction, even if the client disconnects. A
     * line that is not booked keeps its suggestion; a line that changes after the call began is not booked. If the
     * process stops before the last line, the next call books the rest.
     */
    readonly book: (id: BankImportId) => Effect.Effect<Booked, never, Caller>
  }
>()("invoicing/banking/imports/storing/AutoBooking") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* AutoBookingRepo
      const bankRules = yield* BankRulesRepo
      const documents = yield* LineDocuments
      const { underLatestLock } = yield* AuditLog
      const { apart } = yield* Database
      const scope = yield* Effect.scope

      const bookLines = Effect.fnUntraced(function* (id: BankImportId) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { organization_id, id }
        const lines = yield* repo.unbooked(key)
        if (lines.length === 0) return { auto_booked: 0, warnings: [] }
        const rules = new Map((yield* bankRules.active({ organization_id })).map((rule) => [rule.id, rule]))
        const left = lines.map((line) => line.id)
        const refusals = ruleRefusals()
        let auto_booked = 0
        let noted = 0
        const note = Effect.fnUntraced(function* (warnings: ReadonlyArray<Warning>) {
          const more = auto_booked - noted
          noted = auto_booked
          yield* repo.note(key, { auto_booked: more, warnings }, left)
        })

        const bookNext = Effect.fnUntraced(function* ({ id, rule_id, version }: (typeof lines)[number]) {
          const rule = rules.get(rule_id)
          if (rule?.auto_add !== true) return
          yield* underLatestLock(documents.createByRule(id, rule, version)).pipe(
            Effect.tap(() => Effect.sync(() => auto_booked++)),
            // A line that another request has matched or changed meanwhile is left to a person.
            Effect.catchTags({ AlreadyMatched: () => Effect.void, RuleOutdated: () => Effect.void }),
            Effect.catch((refused) => Effect.sync(() => refusals.add(rule_id, refused)))
          )
        })
        // After a defect, the next call continues with the line after this one. Otherwise, it might never get past it.
        const isTried = (exit: Exit.Exit<void>) => Effect.sync(() => Exit.hasInterrupts(exit) || left.shift())
        const bookSome = Effect.forEach((line: (typeof lines)[number]) => Effect.onExit(bookNext(line), isTried))
        yield* Effect.forEach(Arr.chunksOf(lines, noted_every), (some) => Effect.andThen(bookSome(some), note([])), {
          discard: true
        }).pipe(Effect.ensuring(Effect.suspend(() => note(refusals.warnings()))))
        return { auto_booked, warnings: refusals.warnings() }
      })

      const book = Effect.fn("AutoBooking.book")(function* (id: BankImportId) {
        // An interruption ends only this wait.
        return yield* Fiber.join(yield* bookLines(id).pipe(apart, Effect.forkIn(scope)))
      })

      return AutoBooking.of({ book })
    })
  ).pipe(Layer.provide([AutoBookingRepo.layer, BankRulesRepo.layer, LineDocuments.layer]))
}

/** Collects refused bookings: one warning per rule and reason, with the number of lines. */
const ruleRefusals = () => {
  const found = new Map<string, { readonly rule_id: BankRuleId; readonly message: string; lines: number }>()
  return {
    add: (rule_id: BankRuleId, { code, message }: { readonly code: string; readonly message: string }) => {
      const key = `${rule_id} ${code}`
      const known = found.get(key)
      if (known !== undefined) known.lines++
      else if (found.size < refusals_max) found.set(key, { rule_id, message, lines: 1 })
    },
    warnings: (): ReadonlyArray<Warning> =>
      Array.from(found.values(), ({ lines, message, rule_id }) => ({
        code: "rule_not_applied",
        rule_id,
        message: `Rule ${rule_id} did not book ${counted(lines, "line", "lines")}: ${message}`
      }))
  }
}
