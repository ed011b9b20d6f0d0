import { Context, Data, Duration, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Base64Url } from "effect/encoding"
import type { UserId } from "../../kernel/Ids.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken, sameSecret } from "../../platform/crypto/Opaque.ts"
import { languageOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { Devices } from "./Devices.ts"
import { device_days } from "./DevicesRepo.ts"
import type { Session } from "./Session.ts"
import { Sessions } from "./Sessions.ts"

/** The form was not shown by this site to this browser, or in a session that has ended. */
class FormRefused extends Data.TaggedError("FormRefused") {}

/**
 * One request of a browser. Its cookie identifies a session after a login; before, it only ties forms to the browser.
 */
export interface Visit {
  readonly language: PageLanguage
  readonly session: Option.Option<Session>
  /** Value of the hidden field `csrf` in every form. */
  readonly csrf: string
  readonly token: string
  /** True if the browser does not have the cookie yet. */
  readonly isNew: boolean
  /** Token of the device cookie, valid or not; it outlives the session. */
  readonly device: string | undefined
}

const token_pattern = /^(?:pre|ses)_[A-Za-z0-9_-]{43}$/
const device_pattern = /^dev_[A-Za-z0-9_-]{43}$/

type Response = HttpServerResponse.HttpServerResponse

/** Cookies and forms of the pages for people. */
export class Browser extends Context.Service<
  Browser,
  {
    readonly visit: Effect.Effect<Visit, never, HttpServerRequest.HttpServerRequest>
    /** Returns the fields of a posted form, which must come from a page of ours in the same browser. */
    readonly form: (visit: Visit) => Effect.Effect<URLSearchParams, FormRefused, HttpServerRequest.HttpServerRequest>
    /** Gives a new browser the cookie against which its forms will be checked. */
    readonly keep: (visit: Visit) => (response: Response) => Response
    /** Starts a session in place of the browser's former one, and makes the browser a known device of the user. */
    readonly login: (
      visit: Visit,
      user_id: UserId,
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

      const visit = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const language = languageOf(request.headers["accept-language"])
        const known = request.cookies[cookie]
        const isNew = known === undefined || !token_pattern.test(known)
        const token = isNew ? yield* newToken("pre") : known
        const session = token.startsWith("ses_") ? yield* sessions.find(token) : Option.none()
        const presented = request.cookies[deviceCookie]
        const device = presented !== undefined && device_pattern.test(presented) ? presented : undefined
        return { language, session, csrf: Base64Url.encode(hashToken(`csrf ${token}`)), token, isNew, device }
      })

      /** Browsers name the page that a form came from; if a request names none, only its token is checked. */
      const isOurs = (request: HttpServerRequest.HttpServerRequest): boolean => {
        const from = request.headers["origin"]
        if (from === undefined) return (request.headers["sec-fetch-site"] ?? "same-origin") === "same-origin"
        return from === origin || (from !== "null" && URL.parse(from)?.host === request.headers["host"])
      }

      const form = Effect.fn("Browser.form")(function* (visit: Visit) {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (visit.isNew || !isOurs(request)) return yield* new FormRefused()
        const text = yield* request.text.pipe(Effect.orDie)
        const fields = new URLSearchParams(text)
        if (!sameSecret(fields.get("csrf") ?? "", visit.csrf)) return yield* new FormRefused()
        return fields
      })

      const end = (visit: Visit) =>
        Option.match(visit.session, {
          onNone: () => Effect.void,
          onSome: ({ id, user_id }) => sessions.revoke(user_id, id)
        })

      const login = Effect.fn("Browser.login")(function* (visit: Visit, user_id: UserId, response: Response) {
        yield* end(visit)
        const request = yield* HttpServerRequest.HttpServerRequest
        const device = yield* devices.remember(user_id, visit.device)
        const session = yield* sessions.start(user_id, request.headers["user-agent"])
        return response.pipe(withCookie(session), withDevice(device))
      })

      const logout = Effect.fn("Browser.logout")(function* (visit: Visit, response: Response) {
        yield* end(visit)
        return withCookie(yield* newToken("pre"))(response)
      })

      return Browser.of({
        visit,
        form,
        keep: (visit) => (visit.isNew ? withCookie(visit.token) : (response) => response),
        login,
        logout
      })
    })
  ).pipe(Layer.provide([Sessions.layer, Devices.layer]))
}
