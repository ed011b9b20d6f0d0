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
