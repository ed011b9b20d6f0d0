import type { Correspondents } from "../../billing/printing/Correspondents.ts"
import type { Note } from "./EInvoice.ts"
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
export const frenchNotes = (_parties: Correspondents): ReadonlyArray<Note> => [
  { subject: "BAR", text: "B2B" },
  { subject: "PMT", text: recovery },
  { subject: "PMD", text: penalty },
  { subject: "AAB", text: discount }
]

const recovery = "Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 €."
const penalty =
  "Pénalités de retard : taux d’intérêt appliqué par la Banque centrale européenne à son opération de refinancement " +
  "la plus récente majoré de 10 points de pourcentage, exigibles dès le lendemain de l’échéance."
const discount = "Pas d’escompte pour paiement anticipé."
