import { Effect } from "effect"
import { today } from "../../kernel/Calendar.ts"
import { CurrentOrganization } from "./Security.ts"

/** The present day in the time zone of the organization. */
export const todayHere = Effect.flatMap(CurrentOrganization, ({ timezone }) => today(timezone))
