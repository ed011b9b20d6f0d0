import { Effect, Option, Schema } from "effect"
import { described } from "./Described.ts"
import { counted } from "./Text.ts"

/** Fields of every refusal on the wire: `{"success":false,"message","code"}`. The tag is not sent. */
export const refusal = <const Tag extends string, const Code extends string>(tag: Tag, code: Code) => ({
  _tag: Schema.tagDefaultOmit(tag),
  success: described(
    Schema.Literal(false).pipe(Schema.withConstructorDefault(Effect.succeed(false as const))),
    "Always `false`."
  ),
  message: described(Schema.String, "Description of the error, in one English sentence."),
  code: described(
    Schema.Literal(code).pipe(Schema.withConstructorDefault(Effect.succeed(code))),
    "Stable code of the refusal, for programs."
  )
})

/** Fields of a refusal that is reported as a result, instead of being the answer of its endpoint. */
export const refusalFields = {
  code: described(Schema.String, "Code of the refusal, as the endpoint itself returns it."),
  message: described(Schema.String, "What was wrong, in one sentence."),
  errors: described(
    Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
    "Messages by path into the request, such as `invoices.1.customer_id` in a batch."
  ),
  details: described(Schema.optionalKey(Schema.Json), "Further information about the refusal."),
  required_scope: described(
    Schema.optionalKey(Schema.String),
    "Scope that the token lacks; present with the code `missing_scope`."
  ),
  required_permission: described(
    Schema.optionalKey(Schema.String),
    "Permission that the role of the caller lacks; present with the code `forbidden`."
  )
}

/**
 * Another organization's record gets the same answer as a missing one, byte for byte, so that nobody can find out which
 * records exist.
 */
export class NotFound extends Schema.Error<NotFound>("NotFound")(refusal("NotFound", "not_found"), {
  httpApiStatus: 404,
  description: "The record does not exist, or belongs to another organization."
}) {
  static of() {
    return new NotFound({ message: "Not found." })
  }
}

export const orNotFound = <A, E, R>(found: Effect.Effect<Option.Option<A>, E, R>) =>
  Effect.flatMap(found, Option.match({ onNone: () => Effect.fail(NotFound.of()), onSome: Effect.succeed }))

/** Messages by the dotted path of the refused field, e.g. `items.0.quantity`. */
export type FieldErrors = Readonly<Record<string, ReadonlyArray<string>>>

/** Key of the errors that concern the body as a whole. */
export const whole_body = "body"

export const fieldSentence = (field: string, predicate: string) =>
  field === whole_body ? `The body ${predicate}` : `The ${field} field ${predicate}`

export class ValidationFailed extends Schema.Error<ValidationFailed>("ValidationFailed")(
  {
    ...refusal("ValidationFailed", "validation_failed"),
    errors: described(
      Schema.Record(Schema.String, Schema.Array(Schema.String)),
      "Messages by path into the request, such as `items.0.quantity`."
    )
  },
  { httpApiStatus: 422, description: "The request has errors; `errors` contains each by its path." }
) {
  static of(errors: FieldErrors) {
    const messages = Object.values(errors).flat()
    const others = messages.length - 1
    const count = others > 0 ? ` (and ${counted(others, "more error", "more errors")})` : ""
    return new ValidationFailed({ message: (messages[0] ?? "The given data was invalid.") + count, errors })
  }

  /** Refuses one field with a message such as "is required.". */
  static field(field: string, predicate: string) {
    return ValidationFailed.of({ [field]: [fieldSentence(field, predicate)] })
  }
}

export class PreconditionFailed extends Schema.Error<PreconditionFailed>("PreconditionFailed")(
  {
    ...refusal("PreconditionFailed", "precondition_failed"),
    details: described(Schema.Struct({ version: described(Schema.Int, "The current version.") }), "The current record.")
  },
  {
    httpApiStatus: 412,
    description: "`If-Match` contains an old version; read the current record."
  }
) {
  static of(version: number) {
    return new PreconditionFailed({ message: "The record was changed in the meantime.", details: { version } })
  }
}
