import { Option, Schema } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { html } from "../../pages/Html.ts"
import { pageAnswer } from "../../pages/PageFrame.ts"
import { languageOf, type PageLanguage } from "../../pages/PageLanguage.ts"

/**
 * Paths whose answers are for programs, whatever `Accept` says. `/oauth/authorize` and `/oauth/consent` are missing,
 * because users see them in a browser.
 */
const for_programs =
  /^\/(?:api|oauth(?!\/(?:authorize|consent)(?:\?|$))|rpc|health|metrics|openapi\.json|\.well-known)(?:\/|\?|$)/

/** Paths of pages for the customers of an organization, who do not know this service. */
const for_customers = /^\/d\//

type Kind = "missing" | "broken" | "refused"

export const sentences: Readonly<Record<PageLanguage, Readonly<Record<Kind, string>>>> = {
  en: {
    missing: "There is no page at this address.",
    broken: "This does not work at the moment. Try again later.",
    refused: "An application sent you here with a wrong request."
  },
  fr: {
    missing: "Il n’y a pas de page à cette adresse.",
    broken: "Service indisponible. Réessayez plus tard.",
    refused: "Une application vous a envoyé ici avec une demande incorrecte."
  },
  nl: {
    missing: "Er is geen pagina op dit adres.",
    broken: "Dit werkt op dit moment niet. Probeer het later.",
    refused: "Een toepassing stuurde u hierheen met een onjuiste aanvraag."
  },
  de: {
    missing: "Unter dieser Adresse gibt es keine Seite.",
    broken: "Das geht gerade nicht. Versuchen Sie es später.",
    refused: "Eine Anwendung hat Sie mit einer falschen Anfrage hierher geschickt."
  },
  es: {
    missing: "No hay ninguna página en esta dirección.",
    broken: "No funciona por el momento. Inténtelo más tarde.",
    refused: "Una aplicación le ha enviado aquí con una solicitud incorrecta."
  },
  it: {
    missing: "Non c’è nessuna pagina a questo indirizzo.",
    broken: "Al momento non funziona. Riprovi più tardi.",
    refused: "Un’applicazione l’ha mandata qui con una richiesta errata."
  },
  pt: {
    missing: "Não há nenhuma página neste endereço.",
    broken: "Não funciona de momento. Tente mais tarde.",
    refused: "Uma aplicação enviou-o para aqui com um pedido incorreto."
  },
  pl: {
    missing: "Pod tym adresem nie ma strony.",
    broken: "To chwilowo nie działa. Spróbuj później.",
    refused: "Aplikacja przekierowała tutaj z błędnym żądaniem."
  },
  ar: {
    missing: "لا توجد صفحة على هذا العنوان.",
    broken: "هذا لا يعمل حاليًا. حاول لاحقًا.",
    refused: "أرسلك تطبيق إلى هنا بطلب غير صحيح."
  }
}

/** Shows an HTML page in a browser instead of an error in JSON, also after a form was sent. */
export const forBrowser = (
  { headers, method, url }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const isJson = response.headers["content-type"]?.startsWith("application/json") === true
  const isShown =
    (method === "GET" || method === "POST") &&
    headers["accept"]?.includes("text/html") === true &&
    !for_programs.test(url)
  if (!isJson || !isShown || response.status < 400) return response
  const language = languageOf(headers["accept-language"])
  const kind = kindOf(response.status)
  const title = sentences[language][kind]
  const isForCustomers = for_customers.test(url)
  const again = response.headers["retry-after"]
  return pageAnswer({
    language,
    title,
    narrow: true,
    brand: isForCustomers ? { name: "", logo: null, color: null } : undefined,
    status: response.status,
    headers: again === undefined ? {} : { "retry-after": again },
    body: html`<div class="card">
      <h1>${title}</h1>
      ${kind === "refused" ? html`<p lang="en">${messageIn(response)}</p>` : null}
      ${isForCustomers ? null : html`<p><a href="/">Invoicing</a></p>`}
    </div>`
  })
}

const missing_statuses = [404, 405, 410]
const too_many_requests = 429

const kindOf = (status: number): Kind => {
  if (missing_statuses.includes(status)) return "missing"
  return status === too_many_requests || status >= 500 ? "broken" : "refused"
}

const decodeMessage = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ message: Schema.String })))

/** Returns the message of an error in JSON. It helps the developer of the application that sent the user here. */
const messageIn = ({ body }: HttpServerResponse.HttpServerResponse): string | undefined =>
  body._tag === "Uint8Array"
    ? Option.getOrUndefined(decodeMessage(Buffer.from(body.body).toString()))?.message
    : undefined
