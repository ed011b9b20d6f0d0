import { renderSVG } from "uqr"
import { fill } from "../../platform/pages/Fill.ts"
import { type FieldMistake, labelOf, stateOf } from "../../platform/pages/FieldMistake.ts"
import { Html, html } from "../../platform/pages/Html.ts"
import { accountTexts } from "../texts/AccountTexts.ts"
import type { Visit } from "../session/Browser.ts"
import { passwordField } from "./PasswordField.ts"
import type { FactorState } from "./SecondFactors.ts"

const code_characters_max = 64

const csrfField = ({ csrf }: Visit): Html => html`<input type="hidden" name="csrf" value="${csrf}" />`

const alert = (problem: string | undefined): Html | null =>
  problem === undefined ? null : html`<p class="notice bad" role="alert" id="problem">${problem}</p>`

/** Focuses the only field of a page, and connects it with the problem that the page shows. */
const asked = (problem: string | undefined): Html =>
  html` autofocus${problem === undefined ? null : html` aria-describedby="problem"`}`

const codeField = (more: Html): Html =>
  html`<input name="code" autocomplete="one-time-code" required maxlength="${code_characters_max}" ${more} />`

export const factorSection = (visit: Visit, state: FactorState, mistake?: FieldMistake): Html => {
  const texts = accountTexts[visit.language].security
  if (!state.on) {
    return html`<p class="muted">${texts.off_lead}</p>
      <form method="post" action="/account/factor/begin">
        ${csrfField(visit)} ${passwordField(visit.language, "factor_password", mistake)}
        <button>${texts.turn_on}</button>
      </form>`
  }
  return html`<p class="muted">${fill(texts.on_lead, { codes: state.recovery_codes })}</p>
    <form method="post" action="/account/factor/off">
      ${csrfField(visit)} ${passwordField(visit.language, "factor_password", mistake)}
      ${labelOf("factor_code", texts.any_code, mistake)}
      ${codeField(html`id="factor_code"${stateOf("factor_code", mistake)}`)}
      <div class="actions">
        <button formaction="/account/factor/recovery">${texts.renew}</button>
        <button class="danger">${texts.turn_off}</button>
      </div>
    </form>`
}

export const enrolmentPage = (
  visit: Visit,
  { address, secret }: { readonly address: string; readonly secret: string },
  problem?: string
): Html => {
  const texts = accountTexts[visit.language].security
  return html`<form class="card" method="post" action="/account/factor/confirm">
    <h1>${texts.title}</h1>
    ${alert(problem)} ${csrfField(visit)}
    <p>${texts.scan}</p>
    <div class="qr" role="img" aria-label="${texts.qr}">${new Html(renderSVG(address, { border: 2 }))}</div>
    <p>${texts.key}<br /><code id="secret">${secret}</code></p>
    <label for="code">${texts.app_code}</label>
    ${codeField(html`id="code" inputmode="numeric"${asked(problem)}`)}
    <button class="wide">${texts.confirm}</button>
    <p><a href="/account">${texts.back}</a></p>
  </form>`
}

/** Shows new recovery codes, which no other page shows. */
export const recoveryPage = (visit: Visit, codes: ReadonlyArray<string>): Html => {
  const texts = accountTexts[visit.language].security
  return html`<div class="card">
    <h1>${texts.recovery_title}</h1>
    <p class="notice good" role="status">${texts.recovery_lead}</p>
    <ul class="plain">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a class="button" href="/account">${texts.back}</a></p>
  </div>`
}

/** Asks for the code of the second step, after the password was correct and before the session starts. */
export const stepPage = (visit: Visit, query: string, problem?: string): Html => {
  const texts = accountTexts[visit.language].security
  return html`<form class="card" method="post" action="/login/code">
    <h1>${texts.step_title}</h1>
    ${alert(problem)}
    <p>${texts.step_lead}</p>
    ${csrfField(visit)}<input type="hidden" name="query" value="${query}" />
    <label for="code">${texts.any_code}</label>
    ${codeField(html`id="code"${asked(problem)}`)}
    <button class="wide">${texts.go_on}</button>
  </form>`
}

/** Asks a logged-in user for the password again, and then submits the form that was interrupted. */
export const againPage = (visit: Visit, action: string, fields: URLSearchParams, problem?: string): Html => {
  const texts = accountTexts[visit.language].security
  const kept = [...fields].filter(([name]) => name !== "csrf" && name !== "current_password")
  return html`<form class="card" method="post" action="${action}">
    <h1>${texts.again_title}</h1>
    ${alert(problem)}
    <p>${texts.again_lead}</p>
    ${csrfField(visit)} ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${passwordField(visit.language, "current_password", undefined, asked(problem))}
    <button class="wide">${texts.go_on}</button>
    <p><a href="/account">${texts.back}</a></p>
  </form>`
}
