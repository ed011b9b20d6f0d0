import { Schema, SchemaGetter } from "effect"

const methods = [
  "bank_transfer",
  "sepa_credit_transfer",
  "direct_debit",
  "card",
  "cash",
  "check",
  "paypal",
  "online",
  "other"
] as const

/** Names that other systems use for these payment methods. */
const aliases: Readonly<Record<string, string>> = {
  credit_card: "card",
  wire: "bank_transfer",
  transfer: "bank_transfer",
  cheque: "check",
  stripe: "online"
}

export const PaymentMethod = Schema.Literals(methods)
type PaymentMethod = typeof PaymentMethod.Type

/** Reads `Bank Transfer` and `bank-transfer` as `bank_transfer`. */
const spelled = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")

export const PaymentMethodInput = Schema.String.annotate({
  description:
    "Means of payment: bank_transfer, sepa_credit_transfer, direct_debit, card, cash, check, paypal, online or other, also with capitals, spaces or hyphens; some names of other systems, such as credit_card and wire, are accepted, too."
})
  .pipe(
    Schema.decodeTo(PaymentMethod.annotate({ message: `must be one of: ${methods.join(", ")}.` }), {
      // Boundary: the text may name an unknown method, which the schema `PaymentMethod` refuses in the next step.
      decode: SchemaGetter.transform((text) => (aliases[spelled(text)] ?? spelled(text)) as PaymentMethod),
      encode: SchemaGetter.transform((method) => method)
    })
  )
  .annotate({ identifier: "PaymentMethodInput" })
