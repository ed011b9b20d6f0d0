import { Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Browser, type Submission, type Visit } from "../../identity/session/Browser.ts"
import type { User } from "../../identity/users/User.ts"
import { Users } from "../../identity/users/Users.ts"
import type { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { busy_seconds, type PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import { html } from "../../platform/pages/Html.ts"
import { pageAnswer, seeOther } from "../../platform/pages/PageFrame.ts"
import { notFound } from "../../platform/http/answers/EdgeAnswers.ts"
import type { Typed } from "./PanelForm.ts"
import { type PanelContent, panelFrame } from "./PanelFrame.ts"

type Response = HttpServerResponse.HttpServerResponse
type Path = `/admin${string}`

/** A page of the panel. The pages below it link back to it, and it links back to the page `up`. */
export interface Place {
  readonly path: Path
  readonly label: string
  readonly up?: Place
}

export interface PanelRequest {
  /** Name of the superadmin in the audit chain of an organization that the request changes. */
  readonly actor: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

interface AdmittedRequest extends PanelRequest {
  readonly path: string
  readonly user: User
  readonly visit: Visit
}

/** Returns the URL of a page. The ids in it are taken from the URL of the request. */
export const addressOf = ({ path }: Place, { params }: PanelRequest): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

/**
 * Admits only superadmins. Other users get the same 404 as for an unknown path. A browser without a session is sent to
 * the login, and then returns to the requested page or, if it had submitted a form, to the page of that form.
 */
const behindLogin = <R>(visit: Visit, handle: (entered: AdmittedRequest) => Effect.Effect<Response, never, R>) =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const [path = "", query = ""] = url.split("?", 2)
    if (Option.isNone(visit.session)) {
      return seeOther(`/login?to=${encodeURIComponent(method === "GET" ? url : path)}`)
    }
    const user = Option.getOrUndefined(yield* (yield* Users).find(visit.session.value.user_id))
    if (user?.superadmin !== true) return notFound()
    const params = yield* HttpRouter.params
    return yield* handle({ path, user, visit, params, actor: `user:${user.id}`, query: new URLSearchParams(query) })
  })

interface Outcome {
  readonly status?: number
  readonly problem?: string
  readonly headers?: Record<string, string>
}

const hidden = ({ csrf }: Visit) => html`<input type="hidden" name="csrf" value="${csrf}" />`

const answer = (
  entered: AdmittedRequest,
  up: Place | undefined,
  content: PanelContent,
  { headers = {}, problem, status = 200 }: Outcome = {}
) => {
  const { path, query, user, visit } = entered
  const back = up === undefined ? undefined : { path: addressOf(up, entered), label: up.label }
  const done = query.get("done")
  return pageAnswer({
    ...panelFrame({ user, csrf: hidden(visit), content, path, back, done, problem, failed: status >= 400 }),
    status,
    headers
  })
}

const missing: PanelContent = {
  title: "Not found",
  body: html`<p>There is no record at this address. It may have been removed.</p>`
}

/** Answers 404 when another superadmin has removed the record, or the URL was invented. */
const orMissing =
  (entered: AdmittedRequest) =>
  <R>(effect: Effect.Effect<Response, NotFound, R>) =>
    Effect.catchTag(effect, "NotFound", () => Effect.succeed(answer(entered, undefined, missing, { status: 404 })))

const shown = <R>(path: Path, show: (entered: AdmittedRequest) => Effect.Effect<Response, NotFound, R>) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.gen(function* () {
      const visit = yield* (yield* Browser).visit
      return yield* behindLogin(visit, (entered) => show(entered).pipe(orMissing(entered)))
    })
  )

export const showPage = <R>(
  { path, up }: Omit<Place, "label">,
  show: (asked: PanelRequest) => Effect.Effect<PanelContent, NotFound, R>
) => shown(path, (entered) => Effect.map(show(entered), (content) => answer(entered, up, content)))

export const showFile = <R>(path: Path, file: (asked: PanelRequest) => Effect.Effect<Response, NotFound, R>) =>
  shown(path, file)

interface FormPage<Model, Loading, Doing> {
  readonly load: (asked: PanelRequest) => Effect.Effect<Model, NotFound, Loading>
  readonly page: (model: Model, typed: Typed, asked: PanelRequest) => PanelContent
  /** Returns the URL of the next page, or a page with a new secret, which is shown only once. */
  readonly submit: (
    model: Model,
    fields: URLSearchParams,
    asked: PanelRequest
  ) => Effect.Effect<string | PanelContent, NotFound | ValidationFailed | PasswordsBusy, Doing>
}

const busy = { status: 503, headers: { "retry-after": String(busy_seconds) } }
const expired = "This form is no longer valid, and nothing was changed. Check it, and send it again."

/** Adds a form on a separate page, which submits to its own URL. A refused form is shown again with its input. */
export const formPage = <Model, Loading, Doing>(
  { path, up }: Omit<Place, "label">,
  { load, page, submit }: FormPage<Model, Loading, Doing>
) => {
  const drawn = (entered: AdmittedRequest, model: Model, typed: Omit<Typed, "csrf"> = {}, outcome: Outcome = {}) =>
    answer(entered, up, page(model, { csrf: hidden(entered.visit), ...typed }, entered), outcome)

  const carryOut = Effect.fnUntraced(function* (entered: AdmittedRequest, fields: URLSearchParams) {
    const model = yield* load(entered)
    return yield* submit(model, fields, entered).pipe(
      Effect.map((next) => (typeof next === "string" ? seeOther(next) : answer(entered, up, next))),
      Effect.catchTags({
        ValidationFailed: ({ errors }) => Effect.succeed(drawn(entered, model, { fields, errors }, { status: 422 })),
        PasswordsBusy: ({ message }) => Effect.succeed(drawn(entered, model, { fields }, { ...busy, problem: message }))
      })
    )
  })

  const handle = Effect.fnUntraced(function* (entered: AdmittedRequest, form: Submission["form"]) {
    if (Result.isFailure(form)) {
      const { typed } = form.failure
      const model = yield* load(entered)
      return drawn(entered, model, typed === undefined ? {} : { fields: typed }, { status: 403, problem: expired })
    }
    // The first of two clicks may have removed the record, so the record is loaded only once, too.
    return yield* (yield* Browser).once(form.success, carryOut(entered, form.success))
  })

  return Layer.merge(
    shown(path, (entered) => Effect.map(load(entered), (model) => drawn(entered, model))),
    HttpRouter.add(
      "POST",
      path,
      Effect.gen(function* () {
        const { form, visit } = yield* (yield* Browser).submission
        return yield* behindLogin(visit, (entered) => handle(entered, form).pipe(orMissing(entered)))
      })
    )
  )
}

export const start = shown("/admin", () => Effect.succeed(seeOther("/admin/organizations")))
