import { folded } from "../scan/Keywords.ts"
import type { Row } from "../scan/Rows.ts"
import type { Scan } from "../scan/Scan.ts"

/** Titles of documents by which the supplier gives money back, or asks for none. */
const other_titles =
  /^(?:credit note|credit memo|kredit ?nota|credit ?nota|avoir(?: n|$)|note de credit|(?:rechnungs)?gutschrift(?: nr|$)|factura rectificativa|nota de (?:credito|abono)|nota (?:di )?(?:credito|accredito)|kredit ?faktura|faktura korygujaca|pro ?-?forma|facture pro ?-?forma)\b/

/**
 * Titles of offers, orders and reminders with their number. An invoice may mention them as its references, and a till
 * prints some of these words for a reduced price.
 */
const early_titles =
  /^(?:quotation|quote|estimate|devis|offerte|angebot|presupuesto|preventivo|order confirmation|sales order|purchase order|bon de commande|confirmation de commande|orderbevestiging|auftragsbestatigung|conferma d.ordine|delivery note|bon de livraison|lieferschein|pakbon|payment reminder|reminder|mahnung|zahlungserinnerung|(?:lettre de )?relance|herinnering|account statement|statement of account|releve de compte|rekeningoverzicht|kontoauszug|estratto conto)\b.*\d/

const invoice_titles =
  /\b(?:tax invoice|invoice|facture|rechnung|factuur|factura|fattura|faktura|receipt|ticket|quittung|beleg|kassabon)\b/

/** Part of the document, from its top, in which its title stands. */
const head_share = 0.4
const title_words_max = 6

/** True if the title of a document shows that it is a credit note, an offer or the like, and no invoice. */
export const isOtherDocument = ({ amounts, rows }: Scan): boolean => {
  const priced = new Set(amounts.filter(({ hasDecimals }) => hasDecimals).map(({ row }) => row))
  const isTitle = (row: Row) => row.words.length <= title_words_max && !priced.has(row)
  const titles = rows.filter((row) => row.position < head_share && isTitle(row)).map(({ text }) => folded(text))
  return (
    titles.some((title) => other_titles.test(title)) ||
    (titles.some((title) => early_titles.test(title)) && !titles.some((title) => invoice_titles.test(title)))
  )
}
