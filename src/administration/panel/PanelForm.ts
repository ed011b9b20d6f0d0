import type { FieldErrors } from "../../kernel/Refusal.ts"
import { type Html, html } from "../../platform/pages/Html.ts"

interface Choice {
  readonly value: string
  readonly label: string
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: "text" | "email" | "password" | "area" | "file"
  /** Values to choose from: one of them or, with `several`, any number. */
  readonly choices?: ReadonlyArray<Choice>
  readonly several?: boolean
  readonly value?: string | ReadonlyArray<string>
  readonly required?: boolean
  readonly characters_max?: number
  readonly autocomplete?: string
  readonly accept?: string
}

/** State of a form: the input of the user, and the errors in it if the form was refused. */
export interface Typed {
  readonly csrf: Html
  readonly fields?: URLSearchParams
  readonly errors?: FieldErrors
}

interface Form {
  readonly typed: Typed
  readonly fields?: ReadonlyArray<Field>
  /** Texts for the parts that all forms share; the default is English. */
  readonly words?: { readonly cancel: string; readonly unchanged: string }
  /** The form also submits the values that it showed, so that `isChanged` can tell which ones the user changed. */
  readonly changesOnly?: boolean
  readonly submit: string
  readonly danger?: boolean
  readonly cancel: string
  readonly before?: Html
}

const english = { cancel: "Cancel", unchanged: "Nothing was changed." }

/** A form that submits to its own URL. Errors are listed above it, with links, and again at their fields. */
export const panelForm = (form: Form): Html => {
  const { before, cancel, changesOnly, danger, fields = [], submit, typed, words = english } = form
  const asked = fields.map((field) => ({ ...field, wrong: errorsOf(field, typed) }))
  const first = asked.find(({ wrong }) => wrong.length > 0)?.name
  const encoding = fields.some(({ kind }) => kind === "file") ? html` enctype="multipart/form-data"` : null
  return html`${summary(fields, typed, words)}
    <form class="card" method="post" ${encoding}>
      ${typed.csrf}${before}${changesOnly === true ? fields.map((field) => shownValue(field, typed)) : null}
      ${asked.map((field) => question(field, typed, field.name === first))}
      <div class="actions">
        <button class="${danger === true ? "danger" : ""}">${submit}</button>
        <a class="button quiet" href="${cancel}">${words.cancel}</a>
      </div>
    </form>`
}

const shownName = (name: string) => `shown.${name}`

const asText = (values: ReadonlyArray<string>) => values.join("\n")

/** A form that is shown again after a refusal keeps the value that it showed first. */
const shownValue = ({ name, value = [] }: Field, { fields }: Typed): Html => {
  const shown = fields?.get(shownName(name)) ?? asText(typeof value === "string" ? [value] : value)
  return html`<input type="hidden" name="${shownName(name)}" value="${shown}" />`
}

/** Browsers end the lines of texts by CRLF, and remove the line breaks from the value of an input of one line. */
const plain = (text: string, hasLines: boolean) => text.replaceAll(/\r?\n/g, hasLines ? "\n" : "").trim()

/** False if the submitted value of a field is the one that the form showed. */
export const isChanged = (
  { kind, name, several = false }: Pick<Field, "name" | "kind" | "several">,
  fields: URLSearchParams
): boolean => {
  const shown = fields.get(shownName(name))
  const hasLines = kind === "area" || several
  return shown === null || plain(shown, hasLines) !== plain(asText(fields.getAll(name)), hasLines)
}

interface CheckedField extends Field {
  readonly wrong: ReadonlyArray<string>
}

/** True if the path of an error belongs to a field: it is the field's name, or an entry of the field (`scopes.0`). */
const isOf = (field: Field) => (path: string) => path === field.name || path.startsWith(`${field.name}.`)

/** Returns the errors of a field. They contain the name of the field in the API, which is replaced by its label. */
const errorsOf = (field: Field, { errors = {} }: Typed): ReadonlyArray<string> => {
  const found = Object.entries(errors).flatMap(([path, sentences]) => (isOf(field)(path) ? sentences : []))
  return [...new Set(found.map((sentence) => sentence.replace(/^The \S+ field /, `${field.label} `)))]
}

const summary = (fields: ReadonlyArray<Field>, typed: Typed, { unchanged }: typeof english): Html | null => {
  const { errors = {} } = typed
  if (Object.keys(errors).length === 0) return null
  const others = Object.entries(errors).flatMap(([path, sentences]) =>
    fields.some((field) => isOf(field)(path)) ? [] : sentences
  )
  const ours = fields.flatMap((field) => errorsOf(field, typed).map((sentence) => ({ name: field.name, sentence })))
  return html`<div class="notice bad" role="alert">
    <strong>${unchanged}</strong>
    <ul>
      ${others.map((sentence) => html`<li>${sentence}</li>`)}
      ${ours.map(({ name, sentence }) => html`<li><a href="#${name}">${sentence}</a></li>`)}
    </ul>
  </div>`
}

const question = (field: CheckedField, typed: Typed, isFirstWrong: boolean): Html => {
  const { choices, hint, label, name, several, wrong } = field
  const messages = [
    hint === undefined ? null : html`<span class="hint" id="${name}-hint">${hint}</span>`,
    wrong.length === 0 ? null : html`<span class="wrong" id="${name}-error">${wrong.join(" ")}</span>`
  ]
  const named = [...(hint === undefined ? [] : [`${name}-hint`]), ...(wrong.length === 0 ? [] : [`${name}-error`])]
  const state = html`${named.length === 0 ? null : html` aria-describedby="${named.join(" ")}"`}${
    wrong.length === 0 ? null : html` aria-invalid="true"`
  }`
  if (several === true && choices !== undefined) {
    const chosen = valuesOf(field, typed)
    return html`<fieldset id="${name}" tabindex="-1" ${state}${isFirstWrong ? html` autofocus` : null}>
      <legend>${label}</legend>
      ${messages}
      <div class="choices">${choices.map((choice, index) => checkbox(name, choice, index, chosen))}</div>
    </fieldset>`
  }
  const focus = isFirstWrong ? html` autofocus` : null
  return html`<label for="${name}">${label}</label>${messages}${control(field, typed, html`${state}${focus}`)}`
}

const checkbox = (name: string, { label, value }: Choice, index: number, chosen: ReadonlyArray<string>): Html =>
  html`<label class="choice" for="${name}-${index}">
    <input
      id="${name}-${index}"
      type="checkbox"
      name="${name}"
      value="${value}"
      ${chosen.includes(value) ? html` checked` : null}
    />
    <span>${label}</span>
  </label>`

const control = (field: CheckedField, typed: Typed, state: Html): Html => {
  const { accept, autocomplete, characters_max, choices, kind = "text", name, required } = field
  const [value = ""] = valuesOf(field, typed)
  const bounds = html`${required === true ? html` required` : null}${
    characters_max === undefined || kind === "file" || choices !== undefined
      ? null
      : html` maxlength="${characters_max}"`
  }`
  if (choices !== undefined) {
    return html`<select id="${name}" name="${name}" ${bounds}${state}>
      ${choices.map(
        (choice) =>
          html`<option value="${choice.value}" ${choice.value === value ? html` selected` : null}>
            ${choice.label}
          </option>`
      )}
    </select>`
  }
  if (kind === "area") return html`<textarea id="${name}" name="${name}" rows="4" ${bounds}${state}>${value}</textarea>`
  return html`<input
    id="${name}"
    name="${name}"
    type="${kind}"
    ${kind === "file" ? html`accept="${accept}"` : html`value="${kind === "password" ? "" : value}"`}
    autocomplete="${autocomplete ?? "off"}"
    ${bounds}${state}
  />`
}

const valuesOf = ({ name, value = [] }: Field, { fields }: Typed): ReadonlyArray<string> =>
  fields === undefined ? (typeof value === "string" ? [value] : value) : fields.getAll(name)
