import { fill } from "../../platform/pages/Fill.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import type { PasswordUnacceptable } from "../users/UserErrors.ts"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { type AccountTexts, en } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import { nl } from "./nl.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"

export type { AccountTexts }

export const accountTexts: Readonly<Record<PageLanguage, AccountTexts>> = { en, fr, nl, de, es, it, pt, pl, ar }

/** The texts have only the plural of seconds, so one second is shown as two. */
export const throttledText = (language: PageLanguage, seconds: number): string =>
  fill(accountTexts[language].page.throttled, { seconds: Math.max(2, seconds) })

export const reasonOf = ({ common, rule }: AccountTexts["password"], { reason }: PasswordUnacceptable): string =>
  reason === "common" ? common : rule
