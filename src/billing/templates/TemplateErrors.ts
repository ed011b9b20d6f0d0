import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** All operations on templates answer 501 (rules/conventions.md, Errors). */
export class NotImplemented extends Schema.Error<NotImplemented>("NotImplemented")(
  refusal("NotImplemented", "not_implemented"),
  { httpApiStatus: 501, description: "Invoice templates are not available." }
) {
  static of() {
    return new NotImplemented({ message: "Invoice templates are not implemented." })
  }
}
