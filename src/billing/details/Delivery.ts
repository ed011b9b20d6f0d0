import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Line, orNull } from "../../kernel/Text.ts"

/** BG-14: the first and the last day of what is invoiced, such as a month of a service. */
export const DeliveryPeriod = Schema.Struct({
  /** BT-73. */
  start: Day,
  /** BT-74. */
  end: Day
}).check(
  Schema.makeFilter(({ end, start }) =>
    end < start ? { path: ["end"], issue: "must not be before the start." } : undefined
  )
)

/** BG-15, in the fields of a customer's address: where the goods went or the service was rendered. */
export const DeliveryAddress = Schema.Struct({
  /** BT-70: the recipient, when it is not the customer. */
  name: orNull(Line),
  address_line1: orNull(Line),
  address_line2: orNull(Line),
  city: orNull(Line),
  state: orNull(Line),
  postal_code: orNull(Line),
  /** BT-80; EN 16931 wants it of every delivery address (BR-57). */
  country: CountryCode
})
