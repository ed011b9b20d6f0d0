import { SchemaIssue } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { type FieldErrors, NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { MalformedJson, UnknownFilter } from "./Refusals.ts"

/**
 * Answers what the schemas refuse: 404 for the path, 400 for a body that is not JSON, 422 for everything else. A list
 * also refuses parameters that it does not have.
 */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "invoicing/platform/http/RequestValidation",
  { error: [NotFound, MalformedJson, ValidationFailed, UnknownFilter] }
) {}

const errors_max = 100

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

const articles: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  "a finite number": "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object"
}

/** Schema messages are predicates ("must be greater than 0."); Effect's own messages are turned into predicates. */
const predicate = (message: string): string => {
  if (message === "Missing key") return "is required."
  const expected = /^Expected (.*?)(?:, got .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message
  if (expected === "never") return "cannot be changed."
  const kinds = expected.split(" | ").filter((kind) => kind !== "null")
  return `must be ${kinds.map((kind) => articles[kind] ?? kind).join(" or ")}.`
}

/** Groups the messages by the dotted path of the refused field. */
export const fieldErrors = (issue: SchemaIssue.Issue): FieldErrors => {
  const errors = new Map<string, Array<string>>()
  for (const { message, path } of formatter(issue).issues.slice(0, errors_max)) {
    const key = (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".") || "body"
    const sentence = `The ${key} field ${predicate(message)}`
    const known = errors.get(key)
    if (known === undefined) errors.set(key, [sentence])
    else if (!known.includes(sentence)) known.push(sentence)
  }
  return Object.fromEntries(errors)
}
