import { type Html, html } from "./Html.ts"

/** A field that the server refused, with the sentence that says why. A page shows at most one. */
export interface FieldMistake {
  /** The id of the field. */
  readonly field: string
  readonly text: string
}

export const labelOf = (id: string, label: string, mistake: FieldMistake | undefined): Html =>
  html`<label for="${id}">${label}</label>${
      mistake?.field === id ? html`<span class="wrong" role="alert" id="mistake">${mistake.text}</span>` : null
    }`

/** Connects a field with its hint and its mistake. A field with a mistake gets the focus. */
export const stateOf = (id: string, mistake: FieldMistake | undefined, hint?: string): Html => {
  const isWrong = mistake?.field === id
  const named = [...(isWrong ? ["mistake"] : []), ...(hint === undefined ? [] : [hint])].join(" ")
  return html`${named === "" ? null : html` aria-describedby="${named}"`}${
    isWrong ? html` aria-invalid="true" autofocus` : null
  }`
}
