import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** Spec, Banking: an archived account takes no new statements. */
export class BankAccountArchived extends Schema.Error<BankAccountArchived>("BankAccountArchived")(
  refusal("BankAccountArchived", "bank_account_archived"),
  { httpApiStatus: 422 }
) {
  static of() {
    return new BankAccountArchived({ message: "The bank account is archived and takes no new statements." })
  }
}

/** The account has these lines from a file of another format, so this file would import them twice. */
export class OverlappingFormat extends Schema.Error<OverlappingFormat>("OverlappingFormat")(
  {
    ...refusal("OverlappingFormat", "overlapping_other_format"),
    details: Schema.Struct({ lines: Schema.Int, twins: Schema.Int, formats: Schema.Array(Schema.String) })
  },
  { httpApiStatus: 422 }
) {
  static of(details: { readonly lines: number; readonly twins: number; readonly formats: ReadonlyArray<string> }) {
    return new OverlappingFormat({
      message:
        `${details.twins} of ${details.lines} lines have the day and the amount of lines that a file of another format ` +
        "brought. Send accept_overlap=true if they are other movements.",
      details
    })
  }
}

/** A statement of another account, or in another currency, would make this account's balance wrong. */
export class AccountMismatch extends Schema.Error<AccountMismatch>("AccountMismatch")(
  {
    ...refusal("AccountMismatch", "account_mismatch"),
    details: Schema.Struct({ accounts: Schema.Array(Schema.String) })
  },
  { httpApiStatus: 422 }
) {
  static of(accounts: ReadonlyArray<string>) {
    return new AccountMismatch({ message: "The statement belongs to another bank account.", details: { accounts } })
  }
}

/** The match of a line would lose its evidence with the import. */
export class ImportMatched extends Schema.Error<ImportMatched>("ImportMatched")(
  { ...refusal("ImportMatched", "import_matched"), details: Schema.Struct({ matched: Schema.Int }) },
  { httpApiStatus: 409 }
) {
  static of(matched: number) {
    return new ImportMatched({
      message: "Lines of the import are matched: unmatch them first.",
      details: { matched }
    })
  }
}
