import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"

/** The spec names the template operations and has them answer 501, always. */
export class NotImplemented extends Schema.Error<NotImplemented>("NotImplemented")(
  refusal("NotImplemented", "not_implemented"),
  { httpApiStatus: 501 }
) {
  static of() {
    return new NotImplemented({ message: "Invoice templates are not implemented." })
  }
}
