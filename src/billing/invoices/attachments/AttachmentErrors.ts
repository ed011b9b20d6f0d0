import { Schema } from "effect"
import { refusal } from "../../../kernel/Refusal.ts"

export class TooManyAttachments extends Schema.Error<TooManyAttachments>("TooManyAttachments")(
  refusal("TooManyAttachments", "too_many_attachments"),
  { httpApiStatus: 422 }
) {
  static of(max: number) {
    return new TooManyAttachments({ message: `An invoice may have at most ${max} attachments.` })
  }
}
