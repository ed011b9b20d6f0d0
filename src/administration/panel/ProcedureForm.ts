import { Effect, Option, Schema, Struct } from "effect"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import type { Html } from "../../platform/pages/Html.ts"
import { Administration, type Procedures } from "../AdministrationHandlers.ts"
import { formPage, type PanelRequest } from "./Panel.ts"
import { type Field, panelForm } from "./PanelForm.ts"
import type { PanelContent } from "./PanelFrame.ts"
import { decoded, textOf } from "./PanelInput.ts"

/** Part of a JSON Schema that tells how a value is asked for. */
const Property = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  maxLength: Schema.optionalKey(Schema.Int),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  anyOf: Schema.optionalKey(Schema.Array(Schema.Struct({ type: Schema.optionalKey(Schema.String) })))
})
type Property = typeof Property.Type

const PayloadSchema = Schema.Struct({
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  required: Schema.optionalKey(Schema.Array(Schema.String))
})

/** A field of the form; bounds, choices and whether it is required come from the schema of the procedure. */
interface Question<Model> extends Omit<Field, "name" | "value" | "choices"> {
  readonly value?: (model: Model) => string | ReadonlyArray<string> | null
  readonly choices?: Field["choices"] | ((model: Model) => NonNullable<Field["choices"]>)
  /** Changes the spelling that people use into that of the procedure. */
  readonly spelled?: (text: string) => unknown
}

type Questions<Model> = Readonly<Record<string, Question<Model>>>
type Texts<Model> = string | ((model: Model) => string)

interface Declaration<Payload, Model, Answer, E, Loading> {
  readonly path: `/admin${string}`
  readonly load: (asked: PanelRequest) => Effect.Effect<Model, NotFound, Loading>
  readonly title: Texts<Model>
  readonly section: PanelContent["section"]
  readonly back: (model: Model) => NonNullable<PanelContent["back"]>
  readonly submit: string
  readonly danger?: boolean
  readonly before?: (model: Model) => Html
  readonly questions?: Questions<Model>
  /** Facts of the payload that no question asks for, e.g. the id of the record. */
  readonly given: (model: Model, fields: URLSearchParams) => Effect.Effect<Readonly<Record<string, unknown>>>
  readonly call: (procedures: Procedures, payload: Payload) => Effect.Effect<Answer, E>
  /** Names the field that a refusal is shown at, by the refusal's tag. */
  readonly at?: Readonly<Record<string, string>>
  /** Returns the address to go to, or a page with a secret. */
  readonly done: (model: Model, answer: Answer) => string | PanelContent
}

type Refusal = { readonly _tag: string; readonly message: string }

/** Adds a form over a procedure of the RPC: its payload is asked for, decoded by its schema, and carried out. */
export const procedureForm = <
  Payload,
  Model,
  Answer,
  E extends NotFound | ValidationFailed | PasswordsBusy | Refusal,
  Loading
>(
  procedure: { readonly payloadSchema: Schema.Codec<Payload, unknown> },
  declaration: Declaration<Payload, Model, Answer, E, Loading>
) => {
  const { at = {}, back, before, call, done, given, load, path, questions = {}, section, title, ...form } = declaration
  const facts = factsOf(procedure.payloadSchema)
  return formPage(path, {
    load,
    page: (model, typed) => ({
      title: typeof title === "string" ? title : title(model),
      section,
      back: back(model),
      body: panelForm({
        ...form,
        typed,
        cancel: back(model).path,
        ...(before === undefined ? {} : { before: before(model) }),
        fields: Object.entries(questions).map(([name, question]) => fieldOf(question, facts(name), name, model))
      })
    }),
    submit: Effect.fnUntraced(function* (model, fields, { actor }) {
      const answers = Object.entries(questions).map(([name, question]) => {
        return [name, answerOf(question, facts(name), name, fields)] as const
      })
      const payload = yield* decoded(procedure.payloadSchema, {
        ...Object.fromEntries(answers),
        ...(yield* given(model, fields))
      })
      const answer = yield* call((yield* Administration)(actor), payload).pipe(
        Effect.mapError((refused) => shownAt(refused, at))
      )
      return done(model, answer)
    })
  })
}

interface Facts extends Property {
  readonly required: boolean
}

const describe = Schema.decodeUnknownSync(PayloadSchema)
const describeProperty = Schema.decodeUnknownOption(Property)

/** Reads the bounds of the payload's fields from its JSON Schema. */
const factsOf = (schema: Schema.Top) => {
  const { properties = {}, required = [] } = describe(Schema.toJsonSchemaDocument(schema).schema)
  return (name: string): Facts => ({
    ...Option.getOrElse(describeProperty(properties[name]), () => ({})),
    required: required.includes(name)
  })
}

const yesOrNo = [
  { value: "false", label: "No" },
  { value: "true", label: "Yes" }
]

const choicesOf = ({ enum: names, type }: Facts): Field["choices"] =>
  type === "boolean" ? yesOrNo : names?.map((name) => ({ value: name, label: name }))

const fieldOf = <Model>(question: Question<Model>, facts: Facts, name: string, model: Model): Field => {
  const { choices, value } = question
  const offered = (typeof choices === "function" ? choices(model) : choices) ?? choicesOf(facts)
  return {
    ...(facts.maxLength === undefined ? {} : { characters_max: facts.maxLength }),
    ...Struct.omit(question, ["choices", "spelled", "value"]),
    name,
    ...(offered === undefined ? { required: question.required ?? facts.required } : { choices: offered }),
    ...(value === undefined ? {} : { value: value(model) ?? "" })
  }
}

/** An empty field is absent if the payload allows that, else null, else an empty text that the schema refuses. */
const answerOf = <Model>(
  { required: insisted, several, spelled = (text) => text }: Question<Model>,
  { anyOf, required, type }: Facts,
  name: string,
  fields: URLSearchParams
): unknown => {
  if (several === true) return fields.getAll(name)
  if (type === "boolean") return fields.get(name) === "true"
  const text = textOf(fields, name)
  if (text !== undefined) return spelled(text)
  if (anyOf?.some((one) => one.type === "null") === true) return null
  return (insisted ?? required) ? spelled("") : undefined
}

/** Shows a refusal at the field that caused it, or above the form. */
const shownAt = <E extends Refusal>(refused: E, at: Readonly<Record<string, string>>) =>
  isPassedOn(refused) ? refused : ValidationFailed.of({ [at[refused._tag] ?? "form"]: [refused.message] })

const isPassedOn = (refused: Refusal): refused is NotFound | ValidationFailed | PasswordsBusy =>
  refused instanceof NotFound || refused instanceof ValidationFailed || refused instanceof PasswordsBusy
