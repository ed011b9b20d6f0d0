import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import { addDaysAtMost } from "../../../kernel/Calendar.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import type { NotFound } from "../../../kernel/Refusal.ts"
import { Logos } from "../../../organizations/logo/Logos.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { AppConfig, publicUrl } from "../../../platform/config/AppConfig.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { pngAddress } from "../../../platform/pages/PageFrame.ts"
import { readerOf } from "../../printing/DocumentFormat.ts"
import { documentMessage } from "../DocumentMessage.ts"
import type { MailPreview, MailPreviewBody } from "./MailPreview.ts"

export class MailPreviews extends Context.Service<
  MailPreviews,
  {
    /** Writes the message about a document that does not exist, with the brand of the organization. */
    readonly create: (body: MailPreviewBody) => Effect.Effect<MailPreview, NotFound, CurrentOrganization>
  }
>()("invoicing/billing/sending/preview/MailPreviews") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const logos = yield* Logos
      const url = publicUrl(yield* AppConfig)

      const create = Effect.fn("MailPreviews.create")(function* (body: MailPreviewBody) {
        const { attach_pdf, kind, language, mail_texts, message } = body
        const organization = yield* CurrentOrganization
        const { settings } = yield* organizations.get(organization.id)
        const logo = yield* logos.current(organization.id)
        const write = documentMessage({
          document: {
            kind,
            number: sample.number,
            total: sample.total,
            balance_due: kind === "invoice" ? sample.total : null,
            settled: null,
            currency: organization.currency,
            date: kind === "credit_note" ? null : addDaysAtMost(yield* todayHere, settings.default_payment_terms_days)
          },
          organization: organization.name,
          seller_country: organization.country,
          brand: {
            color: settings.brand_color ?? null,
            footer: settings.document_footer ?? null,
            texts: mail_texts ?? settings.mail_texts,
            logo: Option.getOrNull(Option.map(logo, ({ png }) => pngAddress(png)))
          },
          customer: sample.customer,
          message: message ?? null,
          attached: attach_pdf ?? true,
          ...readerOf({ customer: { language, country: organization.country }, organization })
        })
        return write(`${url}/d/doc_...`)
      })

      return MailPreviews.of({ create })
    })
  ).pipe(Layer.provide([Organizations.layer, Logos.layer]))
}

/** The document of every preview. The customer's name is invented, so that it suits every language. */
const sample = {
  number: "2026-0001",
  customer: "Novalux",
  total: BigDecimal.fromStringUnsafe("121")
}
