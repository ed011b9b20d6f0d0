import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Line, orNull } from "../../kernel/Text.ts"

/** BG-14: the first and the last day of the invoiced period, e.g. a month of service. */
export const DeliveryPeriod = Schema.Struct({
  /** BT-73: the first day. */
  start: Day,
  /** BT-74: the last day. */
  end: Day
})
  .check(
    Schema.makeFilter(({ end, start }) =>
      end < start ? { path: ["end"], issue: "must not be before the start." } : undefined
    )
  )
  .annotate({ identifier: "DeliveryPeriod" })

/**
 * BG-15: the address where the goods were delivered or the service was rendered, with the fields of a customer's
 * address.
 */
export const DeliveryAddress = Schema.Struct({
  /** BT-70: the recipient, if other than the customer. */
  name: orNull(Line),
  address_line1: orNull(Line),
  address_line2: orNull(Line),
  city: orNull(Line),
  state: orNull(Line),
  postal_code: orNull(Line),
  /** BT-80: the country, which EN 16931 requires in every delivery address (BR-57). */
  country: CountryCode
}).annotate({ identifier: "DeliveryAddress" })
