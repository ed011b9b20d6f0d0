import type { PageLanguage } from "../../../platform/pages/PageLanguage.ts"
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en, type Labels } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import { nl } from "./nl.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"

export const labelsIn: Readonly<Record<PageLanguage, Labels>> = { en, fr, nl, de, es, it, pt, pl, ar }

/** Returns the name of credit notes in the seller's country: Spanish law calls them corrective invoices. */
export const creditNoteNameIn = (seller_country: string | null) =>
  seller_country === "ES" ? "corrective_invoice" : "credit_note"
