import type { PrintedOrganization } from "../../billing/correspondence/Correspondents.ts"
import { textOr } from "../../billing/printing/DocumentFormat.ts"
import { labelsIn } from "../../billing/printing/labels/Labels.ts"
import type { EmbeddedAttachment, Note } from "../invoice/EInvoice.ts"
import type { Profile } from "../invoice/Profiles.ts"

/** French business process (BT-23) by nature of the operation. The codes for paid documents (B2, S2, M2) are unused. */
export const french_processes = { goods: "B1", services: "S1", mixed: "M1" } as const

type OperationNature = keyof typeof french_processes

/** Sets the business process (BT-23) of a French document by the nature of its operation. */
export const withFrenchProcess = (profile: Profile, nature: OperationNature | null): Profile =>
  profile.rules === "france" && nature !== null ? { ...profile, process: french_processes[nature] } : profile

/**
 * The notes that French law requires (Code de commerce, L441-9 and D441-5): compensation for recovery costs (PMT),
 * penalty for late payment (PMD), discount for early payment (AAB). BAR tells the platforms how to treat the document.
 */
export const frenchNotes = (seller: PrintedOrganization): ReadonlyArray<Note> => [
  { subject: "BAR", text: "B2B" },
  { subject: "PMT", text: french.french_recovery },
  { subject: "PMD", text: textOr(seller.late_payment_penalty, french.french_penalty) },
  { subject: "AAB", text: textOr(seller.early_payment_discount, french.french_discount) }
]

/** The notes are in French because both parties are French, whatever the language of the printed document. */
const french = labelsIn.fr.seller

/** BR-FR-17 requires a code as the description of an attachment; this code fits any supporting document. */
const supporting_document = "DOCUMENT_ANNEXE"

export const withFrenchKind =
  ({ rules }: Profile) =>
  (attachment: EmbeddedAttachment): EmbeddedAttachment =>
    rules === "france" ? { ...attachment, description: supporting_document } : attachment
