import { Schema } from "effect"
import { refusal } from "../../../kernel/Refusal.ts"
import { described } from "../../../kernel/Described.ts"

export class BankAccountArchived extends Schema.Error<BankAccountArchived>("BankAccountArchived")(
  refusal("BankAccountArchived", "bank_account_archived"),
  { httpApiStatus: 422, description: "The bank account is archived and takes no new statements." }
) {
  static of() {
    return new BankAccountArchived({ message: "The bank account is archived and takes no new statements." })
  }
}

/** The account seems to have these lines from another file, so this file would import them a second time. */
export class OverlappingFormat extends Schema.Error<OverlappingFormat>("OverlappingFormat")(
  {
    ...refusal("OverlappingFormat", "overlapping_other_format"),
    details: described(
      Schema.Struct({
        lines: described(Schema.Int, "Number of lines in the file."),
        twins: described(Schema.Int, "Number of these lines that the account already seems to have."),
        formats: described(Schema.Array(Schema.String), "Formats of the files that contained them.")
      }),
      "The lines that the account seems to have."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "Most lines have the day and the amount of lines of other files, usually of another format; send `accept_overlap=true` if they are other movements."
  }
) {
  static of(details: { readonly lines: number; readonly twins: number; readonly formats: ReadonlyArray<string> }) {
    return new OverlappingFormat({
      message:
        `${details.twins} of ${details.lines} lines have the day and the amount of earlier lines ` +
        `(${details.formats.join(", ")}) that this file lacks. Send accept_overlap=true if they are other movements.`,
      details
    })
  }
}

export class ImportMatched extends Schema.Error<ImportMatched>("ImportMatched")(
  {
    ...refusal("ImportMatched", "import_matched"),
    details: described(
      Schema.Struct({ matched: described(Schema.Int, "Number of transactions of the import that are matched.") }),
      "How much is matched."
    )
  },
  { httpApiStatus: 409, description: "Transactions of the import are matched; unmatch them first." }
) {
  static of(matched: number) {
    return new ImportMatched({
      message: "Lines of the import are matched: unmatch them first.",
      details: { matched }
    })
  }
}
