import type { PageLanguage } from "../../../platform/pages/PageLanguage.ts"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en, type InvitationTexts } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import { nl } from "./nl.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"

export type { InvitationTexts }

export const invitationTexts: Readonly<Record<PageLanguage, InvitationTexts>> = { en, fr, nl, de, es, it, pt, pl, ar }
