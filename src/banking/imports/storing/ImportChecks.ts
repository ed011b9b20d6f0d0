import { Array as Arr, type BigDecimal, Context, Effect, Layer, Option } from "effect"
import { exponentOf } from "../../../kernel/Currency.ts"
import type { OrganizationId } from "../../../kernel/Ids.ts"
import { formatAmount } from "../../../kernel/Money.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import type { BankAccount } from "../../accounts/BankAccount.ts"
import type { PreparedFile } from "../../preparation/Preparations.ts"
import { BankStatementsRepo } from "../../records/BankStatementsRepo.ts"
import { doubtfulOpenings } from "../../records/StatementGaps.ts"
import { OverlappingFormat } from "../session/ImportErrors.ts"
import type { ImportForm } from "../session/ImportForm.ts"
import type { Warning } from "../session/ImportSession.ts"
import { StatementImportsRepo } from "./StatementImportsRepo.ts"

/** A file is refused if at least this share of its lines seems to be imported already. */
const twins_share_max = 0.8

/** Maximum number of warnings of missing statements. */
const gaps_max = 20

interface Checked {
  readonly warnings: ReadonlyArray<Warning>
  /** Positions of the lines that rules may not book automatically, because they may be duplicates. */
  readonly doubtful: ReadonlySet<number>
}

/** Compares a file with the lines and balances that its account already has. */
export class ImportChecks extends Context.Service<
  ImportChecks,
  {
    readonly check: (
      account: BankAccount,
      form: ImportForm,
      file: PreparedFile
    ) => Effect.Effect<Checked, OverlappingFormat, CurrentOrganization>
  }
>()("invoicing/banking/imports/storing/ImportChecks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StatementImportsRepo
      const bankStatements = yield* BankStatementsRepo

      /**
       * Refuses a file if most of its lines seem to be duplicates that no key shows; warns if only some do, and names
       * their positions. One line of the same format proves nothing, because a payment may be repeated on its day.
       */
      const requireApart = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        { id }: BankAccount,
        { accept_overlap }: ImportForm,
        file: PreparedFile
      ): Effect.fn.Return<Checked, OverlappingFormat> {
        const { formats, positions, twins } = yield* repo.twins(organization_id, id, file)
        if (twins === 0) return { warnings: [], doubtful: new Set() }
        const isProved = twins > 1 || formats.some((format) => format !== file.format)
        if (twins >= file.lines_total * twins_share_max && isProved && !accept_overlap) {
          return yield* OverlappingFormat.of({ lines: file.lines_total, twins, formats })
        }
        const found = `${twins} lines have the day and the amount of earlier lines (${formats.join(", ")}) that the file lacks`
        const message = accept_overlap ? `${found}.` : `${found}; rules do not book such lines automatically.`
        return {
          warnings: [{ code: "possible_duplicates", rule_id: null, message }],
          doubtful: new Set(accept_overlap ? [] : positions)
        }
      })

      /** Warns of statements that do not open with the closing balance before them, so that lines may be missing. */
      const gapWarnings = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        { currency, id: bank_account_id }: BankAccount,
        { statements }: PreparedFile
      ) {
        const text = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(currency))
        const gaps = yield* Effect.forEach(
          doubtfulOpenings(statements).slice(0, gaps_max),
          Effect.fnUntraced(function* ({ before, opening }) {
            const found = yield* bankStatements.gapBefore({ organization_id, bank_account_id, before, opening })
            return Option.map(found, ({ balance, date }): Warning => {
              const message =
                `A statement opens with ${text(opening.amount)}, but the statement before it closed with ` +
                `${text(balance)} on ${date}: a statement between the two may be missing.`
              return { code: "statement_gap", rule_id: null, message }
            })
          })
        )
        return Arr.getSomes(gaps)
      })

      const check = Effect.fn("ImportChecks.check")(function* (
        account: BankAccount,
        form: ImportForm,
        file: PreparedFile
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const { doubtful, warnings } = yield* requireApart(organization_id, account, form, file)
        return { warnings: [...warnings, ...(yield* gapWarnings(organization_id, account, file))], doubtful }
      })

      return ImportChecks.of({ check })
    })
  ).pipe(Layer.provide([StatementImportsRepo.layer, BankStatementsRepo.layer]))
}
