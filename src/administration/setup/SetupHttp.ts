import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { Browser, type Visit } from "../../identity/session/Browser.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { busy_seconds } from "../../platform/crypto/Passwords.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { openingAnswers, openingFields } from "../panel/organizations/OpeningForm.ts"
import { panelForm, type Typed } from "../panel/PanelForm.ts"
import { at, decoded } from "../panel/PanelInput.ts"
import { Opening } from "../Opening.ts"
import { SetupLinks } from "../SetupLinks.ts"

const title = "Set up this installation"

interface Problem {
  readonly status: number
  readonly text?: string
  readonly headers?: Record<string, string>
}

/** The page is in English only, like the administration to which it leads. */
const answer = Effect.fnUntraced(function* (visit: Visit, body: Html, { headers = {}, status, text }: Problem) {
  const alert = text === undefined ? null : html`<p class="notice bad" role="alert">${text}</p>`
  const page = pageAnswer({
    language: "en",
    title,
    narrow: true,
    status,
    headers,
    body: html`<h1>${title}</h1>
      ${alert} ${body}`
  })
  return (yield* Browser).keep(visit)(page)
})

const form = (visit: Visit, typed: Omit<Typed, "csrf"> = {}, problem: Problem = { status: 200 }) =>
  answer(
    visit,
    panelForm({
      typed: { csrf: html`<input type="hidden" name="csrf" value="${visit.csrf}" />`, ...typed },
      submit: "Open the organization",
      cancel: "/",
      before: html`<p>Open the first organization and choose your password. You will run this installation, too.</p>`,
      fields: openingFields.map((field) => ({ ...field, required: true }))
    }),
    problem
  )

const gone = (visit: Visit) =>
  answer(visit, html`<p>Print a new link with <code>npm run admin -- setup</code>, or log in.</p>`, {
    status: 410,
    text: "This link has expired, or the installation is set up already."
  })

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => token)

const show = HttpRouter.add(
  "GET",
  "/setup/:token",
  Effect.gen(function* () {
    const visit = yield* (yield* Browser).visit
    return yield* (yield* SetupLinks).open(yield* tokenOf).pipe(
      Effect.andThen(form(visit)),
      Effect.catchTag("SetupGone", () => gone(visit))
    )
  })
)

const openIn = Effect.fnUntraced(function* (visit: Visit, fields: URLSearchParams) {
  const opening = yield* decoded(Opening, openingAnswers(fields))
  if (opening.owner_password === undefined) {
    return yield* ValidationFailed.of({ owner_password: ["Choose a password."] })
  }
  const { organization, owner } = yield* (yield* SetupLinks)
    .use(yield* tokenOf, opening)
    .pipe(Effect.catchTags({ EmailTaken: at("owner_email"), PasswordUnacceptable: at("owner_password") }))
  const next = seeOther(`/admin/organizations/${organization.id}?done=opened`)
  return yield* (yield* Browser).login(visit, owner.id, next)
})

const open = HttpRouter.add(
  "POST",
  "/setup/:token",
  Effect.gen(function* () {
    const browser = yield* Browser
    const visit = yield* browser.visit
    const fields = yield* Effect.option(browser.form(visit))
    if (Option.isNone(fields)) {
      return yield* form(visit, {}, { status: 403, text: "This form is not valid any more. Please fill it in again." })
    }
    const typed = { fields: fields.value }
    return yield* openIn(visit, fields.value).pipe(
      Effect.catchTags({
        SetupGone: () => gone(visit),
        ValidationFailed: ({ errors }) => form(visit, { ...typed, errors }, { status: 422 }),
        PasswordsBusy: ({ message }) =>
          form(visit, typed, { status: 503, text: message, headers: { "retry-after": String(busy_seconds) } })
      })
    )
  })
)

export const SetupRoutes = Layer.mergeAll(show, open)
