import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { Line, orNull } from "../../kernel/Text.ts"
import { described } from "../../kernel/Described.ts"

export const DeliveryPeriod = Schema.Struct({
  start: described(Day, "First day of the period (BT-73).", "2026-03-01"),
  end: described(Day, "Last day of the period (BT-74).", "2026-03-31")
})
  .annotate({ description: "First and last day of the invoiced period, such as a month of service (BG-14)." })
  .check(
    Schema.makeFilter(({ end, start }) =>
      end < start ? { path: ["end"], issue: "must not be before the start." } : undefined
    )
  )
  .annotate({ identifier: "DeliveryPeriod" })

export const DeliveryAddress = Schema.Struct({
  name: described(orNull(Line), "Recipient, if it is not the customer (BT-70)."),
  address_line1: described(orNull(Line), "Street and number."),
  address_line2: described(orNull(Line), "Further line of the address."),
  city: described(orNull(Line), "Town."),
  state: described(orNull(Line), "State or province."),
  postal_code: described(orNull(Line), "Postal code."),
  country: described(CountryCode, "Country as ISO 3166-1 code, which every delivery address has (BT-80).", "BE")
}).annotate({ identifier: "DeliveryAddress", description: "Where the goods went or the service was rendered (BG-15)." })
