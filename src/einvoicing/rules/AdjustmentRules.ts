import type { EInvoice } from "../invoice/EInvoice.ts"
import { errors, type Finding, isBlank } from "../records/Finding.ts"

export const adjustmentRules = ({ adjustments, kind }: EInvoice): ReadonlyArray<Finding> =>
  adjustments.flatMap(({ is_charge, reason, taxes }) => {
    const pointer = `/${kind}/${is_charge ? "charges" : "discounts"}`
    const name = is_charge ? "charge" : "discount"
    return errors(
      [
        isBlank(reason),
        is_charge ? "BR-38" : "BR-33",
        `A ${name} on the document needs a reason.`,
        pointer,
        "Describe it in its description."
      ],
      [
        taxes.length !== 1,
        is_charge ? "BR-37" : "BR-32",
        `A ${name} on the document bears exactly one tax on the network; this one bears ${taxes.length}.`,
        pointer,
        `Split the ${name} into one for each tax.`
      ]
    )
  })
