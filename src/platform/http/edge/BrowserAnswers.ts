import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { html } from "../../pages/Html.ts"
import { pageAnswer } from "../../pages/PageFrame.ts"
import { languageOf, type PageLanguage } from "../../pages/PageLanguage.ts"

/** Paths whose answers are for programs, whatever their `Accept` header says. */
const for_programs = /^\/(?:api|oauth|rpc|health|metrics|openapi\.json|\.well-known)(?:\/|\?|$)/

type Kind = "missing" | "broken"

export const sentences: Readonly<Record<PageLanguage, Readonly<Record<Kind, string>>>> = {
  en: { missing: "There is no page at this address.", broken: "This does not work at the moment. Try again later." },
  fr: { missing: "Il n’y a pas de page à cette adresse.", broken: "Service indisponible. Réessayez plus tard." },
  nl: { missing: "Er is geen pagina op dit adres.", broken: "Dit werkt op dit moment niet. Probeer het later." },
  de: {
    missing: "Unter dieser Adresse gibt es keine Seite.",
    broken: "Das geht gerade nicht. Versuchen Sie es später."
  },
  es: {
    missing: "No hay ninguna página en esta dirección.",
    broken: "No funciona por el momento. Inténtelo más tarde."
  },
  it: { missing: "Non c’è nessuna pagina a questo indirizzo.", broken: "Al momento non funziona. Riprovi più tardi." },
  pt: { missing: "Não há nenhuma página neste endereço.", broken: "Não funciona de momento. Tente mais tarde." },
  pl: { missing: "Pod tym adresem nie ma strony.", broken: "To chwilowo nie działa. Spróbuj później." },
  ar: { missing: "لا توجد صفحة على هذا العنوان.", broken: "هذا لا يعمل حاليًا. حاول لاحقًا." }
}

/** Shows an HTML page in a browser instead of an error in JSON. */
export const forBrowser = (
  { headers, method, url }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const isJson = response.headers["content-type"]?.startsWith("application/json") === true
  const isRead = method === "GET" && headers["accept"]?.includes("text/html") === true && !for_programs.test(url)
  if (!isJson || !isRead || response.status < 400) return response
  const language = languageOf(headers["accept-language"])
  const title = sentences[language][response.status < 500 ? "missing" : "broken"]
  const again = response.headers["retry-after"]
  return pageAnswer({
    language,
    title,
    narrow: true,
    status: response.status,
    headers: again === undefined ? {} : { "retry-after": again },
    body: html`<div class="card">
      <h1>${title}</h1>
      <p><a href="/">Invoicing</a></p>
    </div>`
  })
}
