import type { PrintedOrganization } from "../../billing/printing/Correspondents.ts"
import { sellerLabels } from "../../billing/printing/mentions/SellerLabels.ts"
import type { EmbeddedAttachment, Note } from "./EInvoice.ts"
import type { Profile } from "./Profiles.ts"

/** BT-23 of the French reform: what is invoiced, in a document that is not paid already. */
const processes = { goods: "B1", services: "S1", mixed: "M1" } as const

export type OperationNature = keyof typeof processes

/** The profile with the process that follows from what is invoiced. */
export const withFrenchProcess = (profile: Profile, nature: OperationNature | null): Profile =>
  profile.rules === "france" && nature !== null ? { ...profile, process: processes[nature] } : profile

/**
 * What French law requires of every invoice to a business (Code de commerce, L441-9 and D441-5): the compensation for
 * recovery costs (PMT), the penalty for late payment (PMD) and the discount for early payment (AAB). BAR says how the
 * platforms treat the document.
 */
export const frenchNotes = (seller: PrintedOrganization): ReadonlyArray<Note> => [
  { subject: "BAR", text: "B2B" },
  { subject: "PMT", text: french.french_recovery },
  { subject: "PMD", text: seller.late_payment_penalty ?? french.french_penalty },
  { subject: "AAB", text: seller.early_payment_discount ?? french.french_discount }
]

/** Two French businesses write to each other in French, whatever the language of the page. */
const french = sellerLabels.fr

/** France describes an attachment by a code (BR-FR-17); this one is for a supporting document of any kind. */
const supporting_document = "DOCUMENT_ANNEXE"

export const withFrenchKind =
  ({ rules }: Profile) =>
  (attachment: EmbeddedAttachment): EmbeddedAttachment =>
    rules === "france" ? { ...attachment, description: supporting_document } : attachment
