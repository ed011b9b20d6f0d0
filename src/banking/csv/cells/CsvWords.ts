import { Struct } from "effect"
import { folded } from "../../texts/Words.ts"
import type { ColumnName } from "./CsvMapping.ts"

/** With a column for the payer and one for the payee, the sign of the amount shows which is the other party. */
export type Meaning = ColumnName | "sign" | "payer_name" | "payee_name"

/**
 * Names that banks give to columns, in various languages. Of two columns with names in one list, the one whose name
 * comes first in the list is chosen.
 */
const known: Readonly<Record<Meaning | "noise", string>> = {
  booking_date:
    "booking date|booked at|booked on|booked|date booked|posting date|posted date|posted on|boekingsdatum|boekdatum|" +
    "uitvoeringsdatum|datum v. verrichting|date comptable|date de comptabilisation|date de comptabilite|" +
    "date d'ecriture|buchungstag|buchungsdatum|buchung|belegdatum|fecha contable|fecha operacion|" +
    "fecha de operacion|f. operacion|data contabile|data di contabilizzazione|data registrazione|data operazione|" +
    "data oper.|completed date|date completed|finished on|transaction date|transactiedatum|date operation|" +
    "date de l'operation|date d'execution|execution date|date of transaction|trans date|transaktionsdatum|" +
    "data di registrazione|data dell'operazione|data operaz.|data di completamento|datum des abschlusses|" +
    "date de comptabilisation|date processed|tranzakcio datuma|konyveles datuma|datum provedeni|" +
    "bokforingsdag|bokforingsdatum|bogforingsdato|data ksiegowania|data transakcji|data operacji|datum zauctovani|" +
    "datum|date|fecha|data|dato|created on|started date|date time|datetime|date utc|timestamp|" +
    "settlement date|operation date|created|created at|date created",
  value_date:
    "value date|valuta date|valutadatum|rentedatum|valutatag|wertstellung|wertstellungstag|wertstellungsdatum|valuta|" +
    "wert|date valeur|date de valeur|valeur|fecha valor|f. valor|data valuta|data di valuta|data della valuta|valor|interest date|" +
    "available on",
  amount:
    "net|netto|net amount|amount|transaction amount|booking amount|paid amount|bedrag|bedrag v/d verrichting|" +
    "transactiebedrag|mutatie|montant|montant de l'operation|montant de la transaction|betrag|umsatz|umsatzbetrag|" +
    "buchungsbetrag|importe|importe eur|cantidad|importo|quantita|kwota|belop|belopp|belob|summa|castka|credit/debit amount|" +
    "amount in account currency|gross|brutto|bruto|value|transaktionsbetrag|valor operacion|" +
    "importo della transazione|tranzakcio osszege|osszeg|objem",
  debit:
    "debit|debit amount|debits|debet|uitgaven|uit|af|bedrag af|money out|paid out|amount out|withdrawal|withdrawals|withdrawal amount|" +
    "soll|belastung|belastungen|belastungsbetrag|lastschrift|ausgang|ausgange|ausgaben|cargo|cargos|debe|adeudo|adeudos|" +
    "gastos|uscite|uscita|dare|addebito|addebiti|debito|depenses|sortie|sorties|montant debit|montant debite|importo di addebito|" +
    "zulasten|spent|retrait|wydatki|obciazenia",
  credit:
    "credit|credit amount|credits|inkomsten|in|bij|bedrag bij|money in|paid in|amount in|deposit|deposits|deposit amount|haben|" +
    "gutschrift|gutschriften|gutschriftsbetrag|eingang|eingange|einnahmen|abono|abonos|haber|ingreso|ingresos|entrate|" +
    "entrata|avere|accredito|accrediti|accreditamento|credito|recettes|entree|entrees|montant credit|montant credite|" +
    "importo di accredito|zugunsten|received|przychody|uznania",
  fee:
    "fee|fees|fee amount|total fees|transaction fee|charges|gebuhr|gebuhren|frais|kosten|commission|commissions|" +
    "commissione|commissioni|costo|comision|comisiones",
  currency:
    "currency|ccy|currency code|account currency|amount currency|payment currency|munt|muntsoort|valutacode|valuta code|valuta rekening|" +
    "devise|monnaie|wahrung|waehrung|whg|whrg.|divisa|moneda|moneta|valuta importo|valuta|waluta|valuuta|devise du compte|mena",
  counterparty_name:
    "counterparty name|naam tegenpartij|naam van de tegenpartij|tegenpartij naam|naam tegenrekening|partner name|" +
    "name des partners|name zahlungsbeteiligter|beguenstigter/zahlungspflichtiger|begunstigter/zahlungspflichtiger|" +
    "begunstigter/auftraggeber|auftraggeber/empfanger|empfanger/auftraggeber|auftraggeber/begunstigter|" +
    "empfanger/zahlungspflichtiger|zahlungsbeteiligter|nom contrepartie|nom de la contrepartie|nom du tiers|" +
    "contrepartie|counterparty|controparte|ordinante/beneficiario|tegenrekeninghouder|naam tegenpartij bevat|" +
    "naam / omschrijving|merchant name|merchant|beneficiario/ordenante|kontrahent|partner|vendor|other party|third party|tiers|" +
    "tegenpartij|beneficiaire|beneficiary|beneficiario|ordinante|ordenante|naam|name|nom|nombre|nome|" +
    "empfanger|auftraggeber|gegenpartei|donneur d'ordre",
  payer_name:
    "payer name|payer|zahlungspflichtige*r|zahlungspflichtiger|debtor name|debtor|name of payer|from name|source name",
  payee_name:
    "payee name|payee|zahlungsempfanger*in|zahlungsempfanger|creditor name|creditor|name of payee|to name|target name|recipient",
  counterparty_iban:
    "counterparty iban|counterparty account|counterparty account number|account number counterparty|account counterparty|iban counterparty|" +
    "rekening tegenpartij|rekeningnummer tegenpartij|tegenrekening|tegenrekening iban/bban|tegenrekening iban|" +
    "tegenrekeningnummer|iban tegenpartij|tegenpartij rekening|tegenpartij|compte contrepartie|compte de la contrepartie|iban contrepartie|" +
    "numero de compte contrepartie|compte beneficiaire|iban / kontonummer|kontonummer/iban|iban zahlungsbeteiligter|" +
    "konto des partners|partner iban|partner account number|payee account number|gegenkonto|kontonummer|iban controparte|conto controparte|" +
    "cuenta contraparte|iban beneficiario|iban des zahlungsbeteiligten|iban|counterparty",
  account:
    "own account|auftragskonto|iban auftragskonto|account iban|account number|rekeningnummer|rekeningnr|rekening|iban/bban|" +
    "iban rekening|numero de compte|n° de compte|compte|referenzkonto|eigenes konto|numero de cuenta|cuenta|" +
    "numero conto|conto|rapporto|konto|account|iban",
  remittance:
    "description|remittance|remittance information|communication|details|memo|mededeling|mededelingen|omschrijving|" +
    "vrije mededeling|communicatie|libelle|communication libre|motif|verwendungszweck|buchungstext|concepto|" +
    "descripcion|descrizione|causale|narrative|notification text|avisierungstext|zahlungszweck|mitteilung|text|message|" +
    "remarque|observaciones|movimiento|dettagli|payment reference|subject|note|notes|title|tytul|vorgang/verwendungszweck",
  reference:
    "structured communication|gestructureerde mededeling|communication structuree|structured reference|" +
    "creditor reference|betalingskenmerk|qr-referenz|referenznummer|reference|referentie|referenz|referencia|" +
    "riferimento|end to end reference",
  transaction_id:
    "transaction id|transaction reference|transactiereferentie|transactienummer|transaction no.|transaktions-nr.|" +
    "n° de transaction|n° operacion|bank reference|numero de sequence|n° de sequence|volgnummer|volgnr|journaalnummer|id|transferwise id",
  balance:
    "balance|running balance|running bal.|account balance|balance after transaction|balance after|resulting balance|saldo|" +
    "saldo na boeking|saldo na transactie|saldo na mutatie|saldo na trn|solde|nouveau solde|solde apres operation|" +
    "saldo nach buchung|kontostand|kontostand nach buchung|neuer saldo|saldo contabile|saldo finale|saldo po transakcji|" +
    "saldo po operacji|saldo posterior",
  status: "status|state|transaction status|statut|etat|estado|stato|contabilizzazione|zustand|toestand",
  sign:
    "debit/credit|credit/debit|creditdebet|debet/credit|d/c|c/d|dc indicator|debit credit indicator|" +
    "credit debit indicator|af bij|bij af|by af code|soll/haben|haben/soll|s/h|dr/cr|cr/dr|sign|signe|signo|segno|" +
    "sens|direction|richtung|richting|vorzeichen|addebito/accredito|debit/kredit|debito/credito|belastung/gutschrift|" +
    "type|transaction type|+/-",
  noise:
    "bic|bic tegenpartij|bic/swift|bic/swift-code|swift|swift code|bic zahlungsbeteiligter|adres tegenpartij|adres|address|" +
    "afschriftnummer|rubrieknaam|category|categorie|kategorie|categoria|categorie parent|tag|tags|bankleitzahl|blz|" +
    "time|uur|heure|uhrzeit|exchange rate|wisselkoers|country|land|glaubiger-id|glaeubiger id|bankname|bank name|reden van weigering|bezeichnung auftragskonto"
}

/**
 * Reduces a name to lower-case letters and digits, without accents, brackets or a currency at its end: "Bedrag (EUR)"
 * becomes "bedrag".
 */
const plain = (name: string): string => {
  const words = folded(name.replaceAll(/[([][^)\]]*[)\]]/g, " "))
    .replaceAll(/_/g, " ")
    .trim()
    .replace(/(?<=\S) (?:(?:in|en) )?(?:eur|euro|euros|chf|usd|gbp)$/, "")
  return words.replaceAll(/[^\p{L}\p{N}+]/gu, "") || words
}

const ranks: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Struct.keys(known).map((meaning) => [
    meaning,
    new Map(known[meaning].split("|").map((name, rank) => [plain(name), rank]))
  ])
)

/** Position of a header among the names for a meaning; 0 is the most typical one. Undefined if not among them. */
export const rankOf = (header: string, meaning: Meaning | "noise"): number | undefined =>
  ranks.get(meaning)?.get(plain(header))

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split("|"))

/** Words for debits (amounts that leave the account) and, below, for credits (amounts that enter it). */
export const debit_words = wordsOf(
  "d|db|dr|dbit|debit|debet|debits|af|s|soll|cargo|-|belastung|lastschrift|debe|dare|addebito|uscita|uscite|out|withdrawal|" +
    "money out|paid out|outflow|kiadas|sortie|debito|uit|ausgang|adeudo|gasto"
)
export const credit_words = wordsOf(
  "c|cr|k|crdt|credit|credits|bij|h|haben|abono|+|gutschrift|haber|avere|accredito|entrata|entrate|in|deposit|" +
    "money in|paid in|inflow|bevetel|entree|credito|eingang|ingreso"
)

export const booked_words = wordsOf(
  "booked|book|posted|completed|complete|done|settled|cleared|executed|success|successful|succeeded|paid|active|gebucht|" +
    "ausgefuhrt|abgeschlossen|verbucht|geaccepteerd|uitgevoerd|geboekt|voltooid|verwerkt|accepte|acceptee|comptabilise|" +
    "comptabilisee|execute|executee|termine|terminee|effectue|accepted|completado|completada|contabilizado|ejecutado|" +
    "completato|completata|contabilizzato|umsatz gebucht|eseguito|eseguita|zakonczona|zaksiegowana|umgebucht|" +
    "erfolgreich|gezahlt|approvato|approvata|udfort|bogfort|bokfort|genomford"
)
export const unbooked_words = wordsOf(
  "pending|pdng|processing|in progress|authorised|authorized|scheduled|planned|future|open|hold|on hold|created|draft|" +
    "vorgemerkt|umsatz vorgemerkt|offen|ausstehend|in bearbeitung|in behandeling|gepland|en attente|en cours|a venir|pendiente|" +
    "in attesa|in sospeso|oczekujaca|waiting|failed|declined|rejected|refused|reverted|cancelled|canceled|expired|denied|" +
    "geweigerd|afgewezen|geannuleerd|mislukt|refuse|refusee|rejete|rejetee|annule|annulee|echoue|abgelehnt|storniert|" +
    "fehlgeschlagen|abgebrochen|rechazado|rechazada|cancelado|cancelada|fallido|rifiutato|rifiutata|annullato|annullata|fallito|" +
    "autorizzato|autorizzata|non contabilizzato|non contabilizzata|requested|blocked|venter|afvist|reservert|reserveret|" +
    "reserverad|ikke bokfort|ikke bogfort"
)

/** True if a text has a word that occurs on card statements. These often list purchases as positive amounts. */
export const isCardWord = (text: string): boolean =>
  /\b(credit ?card|card ?(number|no|member|holder|name|last 4)|cardholder|kreditkarte\w*|creditcard\w*|kaartnummer|kaarthouder|karteninhaber|kartennummer|carte( de credit| bancaire)?|titulaire de la carte|tarjeta|carta di credito|numero carta|mastercard|visa card|purchase date|purchased by)\b/.test(
    folded(text)
  )
