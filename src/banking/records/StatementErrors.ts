import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"

const headers_shown_max = 50
const header_characters_max = 60
const shown = (headers: ReadonlyArray<string>): ReadonlyArray<string> =>
  headers.slice(0, headers_shown_max).map((header) => header.slice(0, header_characters_max).toWellFormed())

export class InvalidStatement extends Schema.Error<InvalidStatement>("InvalidStatement")(
  {
    ...refusal("InvalidStatement", "invalid_statement"),
    details: described(
      Schema.Struct({
        line: described(
          Schema.NullOr(Schema.Int),
          "Line of the file that is wrong, from 1; null when no single line is."
        ),
        headers: described(
          Schema.optionalKey(Schema.Array(Schema.String)),
          "Cells of the row that was read as the header; a mapping may name them or their positions."
        )
      }),
      "Where the file is wrong."
    )
  },
  {
    httpApiStatus: 422,
    description: "The file is not a statement that can be read, or it contradicts itself; nothing of it is imported."
  }
) {
  static of(reason: string, line: number | null = null, headers?: ReadonlyArray<string>) {
    const place = line === null ? "" : ` (line ${line})`
    const seen = headers === undefined ? {} : { headers: shown(headers) }
    return new InvalidStatement({
      message: `The statement cannot be read: ${reason}${place}.`,
      details: { line, ...seen }
    })
  }
}

const rows_shown_max = 10

export class AmbiguousAmountFormat extends Schema.Error<AmbiguousAmountFormat>("AmbiguousAmountFormat")(
  {
    ...refusal("AmbiguousAmountFormat", "ambiguous_amount_format"),
    details: described(
      Schema.Struct({ rows: described(Schema.Array(Schema.Int), "Lines of the file, from 1; at most 10.") }),
      "Where the amounts are ambiguous."
    )
  },
  { httpApiStatus: 422, description: "The amounts can be read in two ways; name `decimal_separator` in the mapping." }
) {
  static of(rows: ReadonlyArray<number>) {
    return new AmbiguousAmountFormat({
      message: "The amounts can be read in two ways; name the decimal_separator in the mapping.",
      details: { rows: rows.slice(0, rows_shown_max) }
    })
  }
}

export class AmbiguousDateFormat extends Schema.Error<AmbiguousDateFormat>("AmbiguousDateFormat")(
  {
    ...refusal("AmbiguousDateFormat", "ambiguous_date_format"),
    details: described(
      Schema.Struct({ rows: described(Schema.Array(Schema.Int), "Lines of the file, from 1; at most 10.") }),
      "Where the dates are ambiguous."
    )
  },
  { httpApiStatus: 422, description: "The dates can be read in two ways; name `date_format` in the mapping." }
) {
  static of(rows: ReadonlyArray<number>) {
    return new AmbiguousDateFormat({
      message: "The dates can be read in two ways; name the date_format in the mapping.",
      details: { rows: rows.slice(0, rows_shown_max) }
    })
  }
}

const SignColumn = Schema.Struct({
  column: described(Schema.String, "Name of the column."),
  position: described(Schema.Int, "Position of the column, from 1."),
  values: described(Schema.Array(Schema.String), "Some values of the column.")
})

const SignReading = Schema.Struct({
  sign: described(
    Schema.Struct({
      positive: described(Schema.Literals(["credit", "debit"]), "Meaning of an amount without a minus sign.")
    }),
    "A possible `sign` of the mapping."
  )
})

export interface SignsSeen {
  readonly headers: ReadonlyArray<string>
  readonly candidates: ReadonlyArray<typeof SignColumn.Type | typeof SignReading.Type>
}

/** Nothing in the file proves which lines are debits, and a guess would turn expenses into income. */
export class AmbiguousSign extends Schema.Error<AmbiguousSign>("AmbiguousSign")(
  {
    ...refusal("AmbiguousSign", "ambiguous_sign"),
    details: described(
      Schema.Struct({
        headers: described(Schema.Array(Schema.String), "Names of the columns."),
        candidates: described(
          Schema.Array(Schema.Union([SignColumn, SignReading])),
          "Columns that may hold the sign, and meanings that an amount without a minus may have."
        )
      }),
      "What the mapping may name."
    )
  },
  { httpApiStatus: 422, description: "Nothing in the file proves which lines are debits; name `sign` in the mapping." }
) {
  static of({ candidates, headers }: SignsSeen) {
    return new AmbiguousSign({
      message:
        "Nothing in the file proves which lines are debits. Name sign.column with sign.debit_values in the mapping, say " +
        "with sign.positive what an amount without a minus is, and with columns.fee whether fees are deducted.",
      details: { headers: shown(headers), candidates }
    })
  }

  /** The file may be the statement of a credit card, whose balance is a debt. */
  static ofCard(name: string, { candidates, headers }: SignsSeen) {
    const [card = ""] = shown([name])
    return new AmbiguousSign({
      message:
        `The file may be the statement of a credit card, because it names "${card}", so nothing proves which lines are ` +
        'debits. Send sign.positive in the mapping: "credit" if an amount without a minus is money that arrives, ' +
        '"debit" if it is a purchase.',
      details: { headers: shown(headers), candidates }
    })
  }

  /** The signs of the amounts are known, but the file does not prove whether its fees are part of the amounts. */
  static ofFee(name: string, { candidates, headers }: SignsSeen) {
    const [fee = ""] = shown([name])
    return new AmbiguousSign({
      message:
        `Nothing in the file proves that the amounts are without the fees in the column ${fee}. Name this column as ` +
        "columns.fee in the mapping if the fees come on top of the amounts, or say columns.fee null if the amounts " +
        "contain them.",
      details: { headers: shown(headers), candidates }
    })
  }
}

export class AmbiguousAccount extends Schema.Error<AmbiguousAccount>("AmbiguousAccount")(
  {
    ...refusal("AmbiguousAccount", "ambiguous_account"),
    details: described(
      Schema.Struct({
        column: described(Schema.String, "Name of the column."),
        position: described(Schema.Int, "Position of the column, from 1."),
        iban: described(Schema.String, "IBAN that every row names.")
      }),
      "The column that the mapping should name."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "Every row names the same IBAN, which may be the account's own or the other party's; name `columns.account` or " +
      "`columns.counterparty_iban` in the mapping."
  }
) {
  static of({ column, ...place }: { readonly column: string; readonly position: number; readonly iban: string }) {
    const [name = ""] = shown([column])
    return new AmbiguousAccount({
      message:
        `Every row names ${place.iban} in the column ${name}. Name this column in the mapping: columns.counterparty_iban ` +
        "if the IBAN is the other party's, or columns.account if it is the account's own.",
      details: { column: name, ...place }
    })
  }
}

export class StatementUnbalanced extends Schema.Error<StatementUnbalanced>("StatementUnbalanced")(
  {
    ...refusal("StatementUnbalanced", "statement_unbalanced"),
    details: described(
      Schema.Struct({
        opening: described(Schema.String, "Opening balance of the statement."),
        computed: described(Schema.String, "Opening balance plus all lines."),
        closing: described(Schema.String, "Closing balance of the statement.")
      }),
      "The balances, in the currency of the account."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "The lines do not lead from the opening to the closing balance; `accept_unbalanced=true` imports them as they are."
  }
) {
  static of(details: { readonly opening: string; readonly computed: string; readonly closing: string }) {
    return new StatementUnbalanced({
      message:
        `The lines lead from ${details.opening} to ${details.computed}, but the statement closes with ` +
        `${details.closing}. Send accept_unbalanced=true to import it as it is.`,
      details
    })
  }
}

export class AccountMismatch extends Schema.Error<AccountMismatch>("AccountMismatch")(
  {
    ...refusal("AccountMismatch", "account_mismatch"),
    details: described(
      Schema.Struct({
        accounts: described(
          Schema.Array(Schema.String),
          "Accounts that the file names, with their currency; at most 20."
        )
      }),
      "Information in the file about its account."
    )
  },
  {
    httpApiStatus: 422,
    description: "The statement belongs to another bank account or is in another currency; import it into that account."
  }
) {
  static of(accounts: ReadonlyArray<string>) {
    return new AccountMismatch({ message: "The statement belongs to another bank account.", details: { accounts } })
  }
}

export const StatementRefused = Schema.Union([
  InvalidStatement,
  AmbiguousAmountFormat,
  AmbiguousDateFormat,
  AmbiguousSign,
  AmbiguousAccount,
  StatementUnbalanced
])
export type StatementRefused = typeof StatementRefused.Type
