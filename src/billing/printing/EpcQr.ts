import { BigDecimal, Option } from "effect"
import { renderSVG } from "uqr"
import { formatAmount } from "../../kernel/Money.ts"

/** A SEPA credit transfer that the payer's banking app reads from a QR code. */
export interface EpcTransfer {
  /** Name of the payee. The QR code contains at most its first 70 characters. */
  readonly beneficiary: string
  readonly iban: string
  readonly bic: string | null
  readonly amount: BigDecimal.BigDecimal
  readonly currency: string
  /** An ISO 11649 reference is written to the structured field, any other text to the free-text field. */
  readonly reference: string
}

const beneficiary_characters_max = 70
const reference_characters_max = 140
const payload_bytes_max = 331
const amount_max = BigDecimal.fromStringUnsafe("999999999.99")

/**
 * Encodes the transfer as EPC069-12, version 002. None if the standard does not allow it: another currency than the
 * euro, an amount not above zero or above 999,999,999.99, or a payload of more than 331 bytes.
 */
export const epcPayload = (transfer: EpcTransfer): Option.Option<string> => {
  const payable = BigDecimal.isPositive(transfer.amount) && BigDecimal.isLessThanOrEqualTo(transfer.amount, amount_max)
  if (transfer.currency !== "EUR" || !payable) return Option.none()
  const reference = oneLine(transfer.reference, reference_characters_max)
  const structured = iso11649.test(reference)
  const payload = [
    "BCD",
    "002",
    "1",
    "SCT",
    withoutSpaces(transfer.bic ?? ""),
    oneLine(transfer.beneficiary, beneficiary_characters_max),
    withoutSpaces(transfer.iban),
    `EUR${formatAmount(transfer.amount, 2)}`,
    "",
    structured ? withoutSpaces(reference) : "",
    structured ? "" : reference
  ]
    .join("\n")
    .trimEnd()
  return new TextEncoder().encode(payload).length <= payload_bytes_max ? Option.some(payload) : Option.none()
}

/** Draws the code black on transparent, without a margin. EPC069-12 requires error correction M, at most version 13. */
export const qrSvg = (payload: string): string =>
  renderSVG(payload, { ecc: "M", boostEcc: false, maxVersion: 13, border: 0, pixelSize: 1, whiteColor: "transparent" })

const iso11649 = /^RF\d\d ?[0-9A-Z ]{1,26}$/
const withoutSpaces = (text: string) => text.replaceAll(/\s/g, "").toUpperCase()

/** Removes line breaks, because each line of the payload is a field. Truncation never splits a surrogate pair. */
const oneLine = (text: string, characters_max: number) =>
  Array.from(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim()
  )
    .slice(0, characters_max)
    .join("")
