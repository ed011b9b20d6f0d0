import { Context, Duration, Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Base64Url } from "effect/encoding"
import type { UserId } from "../../kernel/Ids.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken, sameSecret } from "../../platform/crypto/Opaque.ts"
import { IdempotencyRepo } from "../../platform/http/edge/IdempotencyRepo.ts"
import { formWithFiles, hasPageFiles } from "../../platform/http/Upload.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { seeOther } from "../../platform/pages/PageFrame.ts"
import { languageOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { Database } from "../../platform/sql/Database.ts"
import { AccountMail } from "../mail/AccountMail.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { Devices } from "../users/Devices.ts"
import { device_days } from "../users/DevicesRepo.ts"
import { formsOnce } from "./FormsOnce.ts"
import { networkOf } from "./Network.ts"
import { browserName, type Session } from "./Session.ts"
import { Sessions } from "./Sessions.ts"

/**
 * The form was not shown to this browser by this site, or it was shown in a session that has ended. `typed` has the
 * input if one of our pages sent the form, so that it can be shown again.
 */
interface FormRefused {
  readonly typed: URLSearchParams | undefined
}

/** After a login, the session cookie identifies the session; before, it only ties forms to the browser. */
export interface Visit {
  readonly language: PageLanguage
  readonly session: Option.Option<Session>
  /** A login whose password was correct and whose code is still missing. */
  readonly unfinished: Option.Option<Session>
  /** Value of the hidden field `csrf` in every form. Each page has another one, which tells its forms from others. */
  readonly csrf: string
  readonly token: string
  /** True if the browser does not have the session cookie yet. */
  readonly isNew: boolean
  /** Token of the device cookie, valid or not; it outlives the session. */
  readonly device: string | undefined
}

interface LoginFacts {
  /** Query of the page of the second step. */
  readonly query?: string
  /**
   * True if another mail notifies the user of this login, because it follows a change of the password. A login with a
   * second step forgets this, and both mails are sent.
   */
  readonly isNotified?: boolean
}

export interface Submission {
  /** The browser when the whole form had arrived. */
  readonly visit: Visit
  /** The fields of the form. A file is a `data:` URL. */
  readonly form: Result.Result<URLSearchParams, FormRefused>
}

const token_pattern = /^(?:pre|ses)_[A-Za-z0-9_-]{43}$/
const device_pattern = /^dev_[A-Za-z0-9_-]{43}$/

type Response = HttpServerResponse.HttpServerResponse

export class Browser extends Context.Service<
  Browser,
  {
    readonly visit: Effect.Effect<Visit, never, HttpServerRequest.HttpServerRequest>
    /**
     * Reads a form from one of our pages in the same browser, and then looks for the session, which may have ended while
     * the browser sent the form slowly.
     */
    readonly submission: Effect.Effect<Submission, never, HttpServerRequest.HttpServerRequest>
    /** Runs the work of a form once. A second click on the form's button gets the same answer. */
    readonly once: <E, R>(
      fields: URLSearchParams,
      work: Effect.Effect<Response, E, R>
    ) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>
    /** Gives a new browser the cookie against which its forms are checked. */
    readonly keep: (visit: Visit) => (response: Response) => Response
    /**
     * Starts a session that replaces the browser's former one, after the password was checked. A user with a second
     * factor gets the page of the second step instead of the response.
     */
    readonly login: (
      visit: Visit,
      user_id: UserId,
      response: Response,
      facts?: LoginFacts
    ) => Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest>
    /** Starts a session after all steps, and makes the browser a known device of the user. */
    readonly enter: (
      visit: Visit,
      user_id: UserId,
      response: Response,
      facts?: Pick<LoginFacts, "isNotified">
    ) => Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest>
    /**
     * Like `enter`, after the last step of a login. Redirects to the login page if the unfinished login has ended
     * meanwhile, e.g. because the password was changed.
     */
    readonly finish: (
      visit: Visit,
      unfinished: Session,
      response: Response
    ) => Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest>
    readonly logout: (visit: Visit, response: Response) => Effect.Effect<Response>
  }
>()("invoicing/identity/session/Browser") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const devices = yield* Devices
      const users = yield* UsersRepo
      const mail = yield* AccountMail
      const { transaction } = yield* Database
      const origin = new URL(publicUrl(yield* AppConfig)).origin
      const secure = origin.startsWith("https:")
      // A __Host- cookie cannot be set by a subdomain or over plain http (RFC 6265bis, 4.1.3.2).
      const cookie = secure ? "__Host-session" : "session"
      const deviceCookie = secure ? "__Host-device" : "device"
      const options = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const

      const withCookie = (token: string) => (response: Response) =>
        HttpServerResponse.setCookieUnsafe(response, cookie, token, options)

      const withDevice = (token: string) => (response: Response) =>
        HttpServerResponse.setCookieUnsafe(response, deviceCookie, token, {
          ...options,
          maxAge: Duration.days(device_days)
        })

      const loginOf = Effect.fnUntraced(function* (token: string) {
        const found = token.startsWith("ses_") ? yield* sessions.find(token) : Option.none<Session>()
        return {
          session: Option.filter(found, ({ second_step_due }) => !second_step_due),
          unfinished: Option.filter(found, ({ second_step_due }) => second_step_due)
        }
      })

      const visit = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const language = languageOf(request.headers["accept-language"])
        const known = request.cookies[cookie]
        const isNew = known === undefined || !token_pattern.test(known)
        const token = isNew ? yield* newToken("pre") : known
        const presented = request.cookies[deviceCookie]
        const device = presented !== undefined && device_pattern.test(presented) ? presented : undefined
        return {
          language,
          ...(yield* loginOf(token)),
          csrf: csrfOf(token, yield* newToken("page")),
          token,
          isNew,
          device
        }
      })

      /**
       * True if the headers name our page or no origin. Without an origin, only the form's token proves where it is
       * from.
       */
      const isOurs = (request: HttpServerRequest.HttpServerRequest): boolean => {
        const from = request.headers["origin"]
        if (from === undefined) return (request.headers["sec-fetch-site"] ?? "same-origin") === "same-origin"
        return from === origin || (from !== "null" && URL.parse(from)?.host === request.headers["host"])
      }

      const submission = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const before = yield* visit
        if (before.isNew || !isOurs(request)) return { visit: before, form: Result.fail({ typed: undefined }) }
        const fields = yield* fieldsOf(request, before)
        const csrf = fields.get("csrf") ?? ""
        const [page = ""] = csrf.split(".", 1)
        const form = sameSecret(csrf, csrfOf(before.token, page))
          ? Result.succeed(fields)
          : Result.fail({ typed: request.headers["origin"] === origin ? fields : undefined })
        return { visit: { ...before, ...(yield* loginOf(before.token)) }, form }
      }).pipe(Effect.withSpan("Browser.submission"))

      const end = (visit: Visit) =>
        Option.match(
          Option.orElse(visit.session, () => visit.unfinished),
          {
            onNone: () => Effect.void,
            onSome: ({ id, user_id }) => sessions.revoke(user_id, id)
          }
        )

      const start = Effect.fnUntraced(function* (visit: Visit, user_id: UserId, complete: boolean) {
        yield* end(visit)
        const request = yield* HttpServerRequest.HttpServerRequest
        const user_agent = request.headers["user-agent"]
        return yield* sessions.start(user_id, { user_agent, address: clientAddress(request), complete })
      })

      /**
       * Notifies the user of a login from a browser that the account does not know, unless it is their first login, after
       * which they have a language.
       */
      const admitted = Effect.fnUntraced(function* (visit: Visit, user_id: UserId, isNotified: boolean) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { known, token: device } = yield* devices.remember(user_id, visit.device)
        const isFirst = Option.exists(yield* users.find(user_id), ({ language }) => language === null)
        yield* users.keepLanguage({ id: user_id, language: visit.language, known })
        if (!known && !isFirst && !isNotified) {
          const detail = [
            browserName(request.headers["user-agent"] ?? "?"),
            networkOf(clientAddress(request)) ?? "?"
          ].join(", ")
          yield* mail.enqueueNotice(user_id, "new_login", { language: visit.language, detail })
        }
        return withDevice(device)
      })

      const login = Effect.fn("Browser.login")(function* (
        visit: Visit,
        user_id: UserId,
        response: Response,
        { isNotified = false, query = "" }: LoginFacts = {}
      ) {
        const { second_step_due, token } = yield* start(visit, user_id, false)
        if (second_step_due) return withCookie(token)(seeOther(`/login/code${query === "" ? "" : `?${query}`}`))
        return response.pipe(withCookie(token), yield* admitted(visit, user_id, isNotified))
      })

      const enter = Effect.fn("Browser.enter")(function* (
        visit: Visit,
        user_id: UserId,
        response: Response,
        { isNotified = false }: LoginFacts = {}
      ) {
        const { token } = yield* start(visit, user_id, true)
        return response.pipe(withCookie(token), yield* admitted(visit, user_id, isNotified))
      })

      const finish = Effect.fn("Browser.finish")(function* (
        visit: Visit,
        { id, user_id }: Session,
        response: Response
      ) {
        yield* users.lock(user_id)
        if (!(yield* sessions.revoke(user_id, id))) return seeOther("/login")
        return yield* enter(visit, user_id, response)
      }, transaction)

      const logout = Effect.fn("Browser.logout")(function* (visit: Visit, response: Response) {
        yield* end(visit)
        return withCookie(yield* newToken("pre"))(response)
      })

      return Browser.of({
        visit,
        submission,
        once: yield* formsOnce,
        keep: (visit) => (visit.isNew ? withCookie(visit.token) : (response) => response),
        login,
        enter,
        finish,
        logout
      })
    })
  ).pipe(Layer.provide([Sessions.layer, Devices.layer, UsersRepo.layer, AccountMail.layer, IdempotencyRepo.layer]))
}

/** The token in the path of a mailed link. */
export const tokenOfLink = Effect.map(HttpRouter.params, ({ token = "" }) => token)

/** The proof that a page with this random name was shown to the browser with this cookie. */
const csrfOf = (token: string, page: string) => `${page}.${Base64Url.encode(hashToken(`csrf ${token} ${page}`))}`

/** Only logged-in users have forms with files, so such a form of anybody else is not read. */
const fieldsOf = (request: HttpServerRequest.HttpServerRequest, { session }: Visit) => {
  if (!hasPageFiles(request)) return Effect.map(Effect.orDie(request.text), (text) => new URLSearchParams(text))
  return Option.isSome(session) ? formWithFiles(request) : Effect.succeed(new URLSearchParams())
}
