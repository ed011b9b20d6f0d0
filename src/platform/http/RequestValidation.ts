import { SchemaAST, SchemaIssue } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { type FieldErrors, fieldSentence, NotFound, ValidationFailed, whole_body } from "../../kernel/Refusal.ts"
import { MalformedJson, UnknownFilter } from "./Refusals.ts"

/** Answers 404 for a wrong path, 400 for a body that is not JSON, and 422 for other errors and unknown parameters. */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "invoicing/platform/http/RequestValidation",
  { error: [NotFound, MalformedJson, ValidationFailed, UnknownFilter] }
) {}

const errors_max = 100

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

/** Describes the accepted values. Effect would print the name of the schema's component, which clients do not know. */
const expected = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Union":
      return oneOf([...new Set(ast.types.flatMap((type) => membersOf(SchemaAST.toEncoded(type))))])
    case "Suspend":
      return expected(ast.thunk())
    case "Declaration":
      return declared(ast.annotations?.["expected"])
    default:
      return articles[ast._tag] ?? "a valid value"
  }
}

const declared = (name: unknown) => (typeof name === "string" ? (articles[name] ?? name) : "a valid value")

const articles: Readonly<Record<string, string>> = {
  Null: "null",
  String: "a string",
  TemplateLiteral: "a string",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list",
  Objects: "an object",
  PersistedFile: "a file",
  "a finite number": "a number"
}

/** A refused null has its own message, so null is not listed among the accepted values. */
const membersOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Union"
    ? ast.types.flatMap((type) => membersOf(SchemaAST.toEncoded(type)))
    : ast._tag === "Null" || ast._tag === "Undefined"
      ? []
      : ast._tag === "Boolean"
        ? ["true", "false"]
        : [expected(ast)]

const alternatives_max = 2

const oneOf = (members: ReadonlyArray<string>): string =>
  members.length > alternatives_max ? `one of ${members.join(", ")}` : members.join(" or ")

/** Turns a message of Effect into a predicate: "must be greater than 0.". Our own messages are predicates already. */
const predicate = (message: string, ast?: SchemaAST.AST): string => {
  if (message === "Missing key") return "is required."
  const check = /^Expected (.*?)(?:, got .*)?$/s.exec(message)?.[1]
  if (check === undefined) return message
  if (ast?._tag === "Never") return "cannot be changed."
  return `must be ${ast === undefined ? (articles[check] ?? check) : expected(ast)}.`
}

type Path = ReadonlyArray<PropertyKey>

interface Refused {
  readonly path: Path
  readonly text: string
}

/** Returns a predicate such as "is required." for each wrong field, with the path of the field. */
const predicates = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<Refused> => {
  switch (issue._tag) {
    case "Pointer":
      return predicates(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return predicates(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((part) => predicates(part, path))
    case "AnyOf":
      return issue.issues.length > 0 ? issue.issues.flatMap((part) => predicates(part, path)) : ofType(issue, path)
    case "InvalidType":
      return ofType(issue, path)
    default:
      return formatter(issue).issues.map((part) => ({
        path: [...path, ...(part.path ?? []).map((key) => (typeof key === "object" ? key.key : key))],
        text: predicate(part.message)
      }))
  }
}

const ofType = (issue: SchemaIssue.InvalidType | SchemaIssue.AnyOf, path: Path): ReadonlyArray<Refused> =>
  formatter(issue).issues.map(({ message }) => ({ path, text: predicate(message, issue.ast) }))

export const fieldErrors = (issue: SchemaIssue.Issue): FieldErrors => {
  const errors = new Map<string, Array<string>>()
  for (const { path, text } of predicates(issue, []).slice(0, errors_max)) {
    const key = path.map(String).join(".") || whole_body
    const sentence = fieldSentence(key, text)
    const known = errors.get(key)
    if (known === undefined) errors.set(key, [sentence])
    else if (!known.includes(sentence)) known.push(sentence)
  }
  return Object.fromEntries(errors)
}
