import { Effect, Option, type Schema, Struct } from "effect"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import type { Html } from "../../platform/pages/Html.ts"
import { Administration, type Procedures } from "../AdministrationHandlers.ts"
import { AdministrationRpc } from "../AdministrationRpc.ts"
import { addressOf, formPage, type PanelRequest, type Place } from "./Panel.ts"
import { type Field, isChanged, panelForm } from "./PanelForm.ts"
import type { FormName, PanelContent } from "./PanelFrame.ts"
import { decoded, textOf } from "./PanelInput.ts"
import { type Facts, payloadFacts } from "./Payload.ts"

/**
 * The schema of the payload gives the properties that a question omits. The default label is made from the field's
 * name.
 */
interface Question<Model> extends Omit<Partial<Field>, "name" | "value" | "choices"> {
  readonly value?: (model: Model) => string | ReadonlyArray<string> | null
  readonly choices?: Field["choices"] | ((model: Model) => NonNullable<Field["choices"]>)
  /** Converts the text that the user typed into the format that the payload requires. */
  readonly spelled?: (text: string) => unknown
}

type Questions<Model> = Readonly<Record<string, Question<Model>>>
type Texts<Model> = string | ((model: Model) => string)
type Values = Readonly<Record<string, unknown>>

interface Declaration<Model, Answer, Loading> {
  /** Last part of the form's URL. The URL of the parent page comes before it. */
  readonly path: string
  readonly load: (asked: PanelRequest) => Effect.Effect<Model, NotFound, Loading>
  readonly title: Texts<Model>
  readonly submit: string
  readonly danger?: boolean
  /** Submits only the fields that the user changed, so that the form does not undo what others changed meanwhile. */
  readonly changesOnly?: boolean
  readonly before?: (model: Model, home: string) => Html
  readonly questions?: Questions<Model> | ((model: Model) => Questions<Model>)
  /** A payload field that is a list of `{ key, value }`: each question asks for the value of one key. */
  readonly entriesOf?: string
  /** Values of the payload that come neither from a question nor from the form's URL. */
  readonly given?: (model: Model, fields: URLSearchParams) => Values | Effect.Effect<Values>
  /** For each refusal, by its tag: the field at which it is shown, and perhaps a sentence in place of its message. */
  readonly at?: Readonly<Record<string, string | readonly [field: string, sentence: string]>>
  /** Returns the URL of the next page, or a page with a new secret. By default, the parent page is next. */
  readonly done?: (answer: Answer, model: Model, home: string) => string | PanelContent
}

type Refusal = { readonly _tag: string; readonly message: string }

type Tag = FormName & keyof Procedures
type AnswerOf<T extends Tag> = Effect.Success<ReturnType<Procedures[T]>>

/** Adds a form that calls a procedure. The schema of the procedure's payload gives the fields and rules of the form. */
export const procedureForm = <T extends Tag, Model, Loading>(
  tag: T,
  place: Place,
  declaration: Declaration<Model, AnswerOf<T>, Loading>
) => {
  const { run, schema } = procedureOf(tag)
  const { at = {}, before, done, entriesOf, given, load, path, questions = {}, title, ...form } = declaration
  const payload = payloadFacts(schema)
  const entries = entriesOf === undefined ? undefined : payload.entries(entriesOf)
  const factsOf = (name: string) => entries?.get(name) ?? payload.of(name)
  const asked = (model: Model) => Object.entries(typeof questions === "function" ? questions(model) : questions)
  return formPage(
    { path: `${place.path}/${path}`, up: place },
    {
      load,
      page: (model, typed, request) => ({
        title: typeof title === "string" ? title : title(model),
        body: panelForm({
          ...form,
          typed,
          cancel: addressOf(place, request),
          ...(before === undefined ? {} : { before: before(model, addressOf(place, request)) }),
          fields: asked(model).map(([name, question]) => fieldOf(question, factsOf(name), name, model))
        })
      }),
      submit: Effect.fnUntraced(function* (model, fields, request) {
        const answers = asked(model).flatMap(([name, question]) => {
          if (form.changesOnly === true && !isChanged({ ...question, name }, fields)) return []
          return [[name, answerOf(question, factsOf(name), name, fields)] as const]
        })
        const more = given?.(model, fields) ?? {}
        const values = {
          ...addressed(payload, request),
          ...(entriesOf === undefined
            ? Object.fromEntries(answers)
            : { [entriesOf]: answers.map(([key, value]) => ({ key, value: value ?? null })) }),
          ...(Effect.isEffect(more) ? yield* more : more)
        }
        const answer = yield* Effect.flatMap(decoded(schema, values), (payload) => run(payload, request)).pipe(
          Effect.mapError((refused) => shownAt(refused, at, entriesOf, answers))
        )
        const home = addressOf(place, request)
        return done?.(answer, model, home) ?? `${home}?done=${tag}`
      })
    }
  )
}

/** Returns a procedure, for a caller and a decoded payload, and the schema of the payload. */
const procedureOf = <T extends Tag>(tag: T) => {
  const { payloadSchema } = Option.getOrThrow(Option.fromUndefinedOr(AdministrationRpc.requests.get(tag)))
  // Boundary: the type of the map does not say which payload belongs to which procedure (tag).
  const schema = payloadSchema as unknown as Schema.Codec<unknown, unknown>
  const run = Effect.fnUntraced(function* (payload: unknown, { actor }: PanelRequest) {
    // Boundary: the payload was decoded by the schema of the procedure with this tag.
    const procedure = (yield* Administration)(actor)[tag] as unknown as (
      payload: unknown
    ) => Effect.Effect<AnswerOf<T>, Refusal>
    return yield* procedure(payload)
  })
  return { schema, run }
}

/** The values of the payload that the URL of the form contains, e.g. the id of the record. */
const addressed = ({ names, of }: ReturnType<typeof payloadFacts>, { params }: PanelRequest): Values =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = params[name]
      return text === undefined ? [] : [[name, of(name).type === "integer" ? Number(text) : text]]
    })
  )

const yesOrNo = [
  { value: "false", label: "No" },
  { value: "true", label: "Yes" }
]

const choicesOf = ({ enum: names, nullable, type }: Facts): Field["choices"] => {
  const choices = type === "boolean" ? yesOrNo : names?.map((name) => ({ value: name, label: name }))
  return nullable && choices !== undefined ? [{ value: "", label: "Default" }, ...choices] : choices
}

const abbreviations = /\b(?:api|bic|iban|id|imap|nif|pdf|pec|smtp|url|vat)\b/g

/** Writes the name of a field as a label: `payment_iban` becomes "Payment IBAN". */
const labelOf = (name: string): string => {
  const words = name
    .replaceAll("_", " ")
    .replaceAll(abbreviations, (word) => word.toUpperCase())
    .replaceAll(/\bsdi\b/g, "SdI")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const hintOf = ({ description }: Facts): string | undefined =>
  description?.replace(/;? [Nn]ull restores the default\.|; null [^.]*/, "")

const fieldOf = <Model>(question: Question<Model>, facts: Facts, name: string, model: Model): Field => {
  const { choices, hint = hintOf(facts), value } = question
  const offered = (typeof choices === "function" ? choices(model) : choices) ?? choicesOf(facts)
  return {
    label: labelOf(name),
    ...(facts.maxLength === undefined ? {} : { characters_max: facts.maxLength }),
    ...(facts.format === "email" ? { kind: "email" as const } : {}),
    ...Struct.omit(question, ["choices", "spelled", "value"]),
    name,
    // Descriptions are Markdown, which a form does not render.
    ...(hint === undefined ? {} : { hint: hint.replaceAll("`", "") }),
    ...(offered === undefined ? { required: question.required ?? facts.required } : { choices: offered }),
    ...(value === undefined ? {} : { value: value(model) ?? "" })
  }
}

/** Without input, the field is omitted if allowed, else null if allowed, else an empty text, which is refused. */
const answerOf = <Model>(
  { kind, required: insisted, several, spelled = (text) => text }: Question<Model>,
  { nullable, required, type }: Facts,
  name: string,
  fields: URLSearchParams
): unknown => {
  if (several === true) return fields.getAll(name)
  // A password may begin or end with a space.
  const text = kind === "password" ? fields.get(name) || undefined : textOf(fields, name)
  if (type === "boolean" && (text !== undefined || !nullable)) return text === "true"
  if (text !== undefined) return type === "integer" ? Number(text) : spelled(text)
  if (nullable) return null
  return (insisted ?? required) ? spelled("") : undefined
}

/** Shows a refusal at the field that caused it, or above the form. */
const shownAt = (
  refused: Refusal,
  at: NonNullable<Declaration<never, never, never>["at"]>,
  list: string | undefined,
  answers: ReadonlyArray<readonly [name: string, answer: unknown]>
): NotFound | ValidationFailed | PasswordsBusy => {
  const known = at[refused._tag]
  if (known !== undefined) {
    const [field, sentence] = typeof known === "string" ? [known, refused.message] : known
    return ValidationFailed.of({ [field]: [sentence] })
  }
  if (refused instanceof ValidationFailed) {
    // The error path of a list entry contains its position in the list, which is also the position of its question.
    const named = Object.entries(refused.errors).map(([path, sentences]) => {
      const [first, position] = path.split(".", 2)
      return [(first === list ? answers[Number(position)]?.[0] : undefined) ?? path, sentences] as const
    })
    return ValidationFailed.of(Object.fromEntries(named))
  }
  if (refused instanceof NotFound || refused instanceof PasswordsBusy) return refused
  return ValidationFailed.of({ form: [refused.message] })
}
