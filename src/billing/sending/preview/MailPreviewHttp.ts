import { BigDecimal, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { addDaysAtMost, today } from "../../../kernel/Calendar.ts"
import { Logos } from "../../../organizations/logo/Logos.ts"
import { AppConfig, publicUrl } from "../../../platform/config/AppConfig.ts"
import { contract } from "../../../platform/http/Contract.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { pngAddress } from "../../../platform/pages/PageFrame.ts"
import { readerOf } from "../../printing/DocumentFormat.ts"
import { documentMessage } from "../DocumentMessage.ts"
import type { MailPreviewBody } from "./MailPreview.ts"
import { MailPreviewApi } from "./MailPreviewApi.ts"

export const MailPreviewHttp = HttpApiBuilder.group(
  contract.add(MailPreviewApi),
  "mailPreview",
  Effect.fn(function* (handlers) {
    const logos = yield* Logos
    const url = publicUrl(yield* AppConfig)

    const create = Effect.fn("MailPreview.create")(function* (body: MailPreviewBody) {
      const { attach_pdf, kind, language, mail_texts, message } = body
      const organization = yield* CurrentOrganization
      const { settings } = organization
      const logo = yield* logos.current(organization.id)
      const write = documentMessage({
        document: {
          kind,
          number: sample.number,
          total: sample.total,
          balance_due: kind === "invoice" ? sample.total : null,
          settled: null,
          currency: organization.currency,
          date:
            kind === "credit_note"
              ? null
              : addDaysAtMost(yield* today(organization.timezone), settings.default_payment_terms_days)
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

    return handlers.handleAll({ create: ({ payload }) => create(payload) })
  })
)

/** The document of every preview. The customer's name is invented, so that it suits every language. */
const sample = {
  number: "2026-0001",
  customer: "Novalux",
  total: BigDecimal.fromStringUnsafe("121")
}
