/** Words of receipts in English, French, Dutch, German, Spanish and Italian, lower case without accents. */
const phrases = {
  due: `total ttc|ttc|net a payer|a payer|reste a payer|montant du|total du|montant a payer|te betalen|totaal te betalen|
    nog te betalen|te voldoen|totaal incl|totaal incl btw|zu zahlen|zu zahlender betrag|zu bezahlen|endbetrag|endsumme|
    gesamtbetrag|gesamtsumme|rechnungsbetrag|zahlbetrag|bruttobetrag|amount due|balance due|total due|grand total|
    total to pay|amount payable|total payable|total incl vat|invoice total|total a pagar|a pagar|importe total|
    total factura|total compra|total general|total iva incluido|totale complessivo|totale da pagare|da pagare|
    totale fattura|totale documento|importo totale|importo pagato|totale ivato|total eur|total euro|totaal eur|summe eur|
    totale euro|total chf|net to pay|netto a pagare|totaalbedrag|factuurbedrag|eindtotaal|eindbedrag|a regler|
    total amount payable|total amt payable|amt payable|nett total|total after adj|payable|total rounded|amount to pay|
    total amount due`,
  total: `total|totaal|totale|totali|totaux|summe|gesamt|insgesamt|importe|montant|amount|suma|somme|som|bedrag|betrag|
    importo|prix total|preis|tarif|fare|ttl|brutto|gross|course|bruto`,
  inclusive: `incl|inkl|inc|included|including|inclusive|inclusief|inclus|incluido|incluida|compris|comprise|compreso|tvac|ttc`,
  subtotal: `subtotal|excluding|exclusive|exc|before tax|before gst|supplies|taxable amount|sub total|sous total|subtotaal|tussentotaal|zwischensumme|subtotale|sub totale|base imponible|
    total ht|montant ht|h taxe|hors taxe|hors taxes|total hors tva|net amount|netto|nettobetrag|nettosumme|totaal excl|excl btw|
    exclusief btw|excl vat|imponibile|total net|total excl|ht|excl|net|base|totaal exclusief|warenwert|total neto|neto|
    maatstaf|grundlage|imp netto|prix ht|marchandises|zwischentotal|totale imponibile|sin iva`,
  tax: `tva|btw|mwst|ust|iva|vat|tax|umsatzsteuer|mehrwertsteuer|steuer|taxe|taxes|impuesto|imposta|gst|hst|pst|qst|tps|tvq|
    sales tax|state tax|tax total|total tax|di cui iva|dont tva|waarvan btw|omzetbelasting|steuern|taux|cuota|iva incluido|incl mwst|inkl mwst|
    enthaltene mwst|steuerbetrag|btw bedrag|hiervan btw|aliquota|steuersatz|impuestos|mva|moms|sgst|cgst|igst|utgst|service tax|
    btw laag|btw hoog|vat amount|gst amount|tax amount`,
  cash: `cash|especes|espece|bar|contant|efectivo|contante|contanti|gegeben|gegeven|tendered|cash tendered|ontvangen|
    entregado|bargeld|rendered|erhalten|contanten|metalico|amount tendered|barzahlung|bar eur|recu|verse|liquide|
    pagamento contante|numeraire|amount tender|total tendered|total tender|accepted total|cash received`,
  card: `carte|card|visa|mastercard|maestro|bancontact|pin|pinnen|ec karte|ec cash|girocard|kartenzahlung|carte bancaire|
    cb|tarjeta|bancomat|american express|amex|kreditkarte|kaart|v pay|vpay|postfinance|twint|contactless|sans contact|
    payconiq|giropay|betaalpas|bankpas|credit card|debit card|credito|debito|debit|credit|elettronico|electronique|
    pagamento elettronico|carta di credito|carta di debito|paypal|apple pay|google pay|kontaktlos|bankkaart|mistercash|vpay|pagobancomat|
    tarj|eftpos|karte|discover|dankort|swish|sumup|ideal|bizum|satispay|contactloos|unzer|mister cash|satispay|edenred|
    ticket restaurant|cheque dejeuner`,
  paid: `paye|betaald|bezahlt|paid|pagado|pagato|regle|paiement|betaling|zahlung|payment|pago|pagamento|reglement|kaufbetrag|
    acquitte|total paid|amount paid|montant paye|voldaan|transaction amount|montant reel|debit amount|verkauf|sale|achat`,
  change: `change|rendu|rendu monnaie|wisselgeld|ruckgeld|zuruck|wechselgeld|cambio|resto|a rendre|terug|teruggave|devuelto|
    monnaie|retour|change due|rendre|rueckgeld|zurueck|vuelto|cash back|monnaie rendue|herausgabe|teruggeld`,
  discount: `remise|rabatt|korting|descuento|sconto|discount|savings|you saved|economie|bespaard|ahorro|promo|promotion|actie|
    voordeel|coupon|saved|dto|reduction|nachlass|preisvorteil|bonus|gespart|uw voordeel|reduc|ristourne|sie sparen|avantage|
    vous economisez|total savings|sconti|risparmio|ahorrado|skonto|gutschein|avoir|prijsvoordeel|bonuskorting|totaal korting`,
  voucher: `voucher|gutschein|wertgutschein|warengutschein|geschenkkarte|geschenkgutschein|gift card|giftcard|gift certificate|
    store credit|bon cadeau|bon d achat|carte cadeau|cheque cadeau|avoir|cadeaubon|cadeaukaart|waardebon|tegoedbon|vale|
    tarjeta regalo|vale regalo|carta regalo|buono|buono regalo|coupon`,
  quantity: `stuks|anzahl|articles|article|items|artikel|artikelen|pieces|pezzi|articulos|articulo|qty|aantal|nombre|positionen|
    item count|articoli|quantity|quantita|menge|cantidad|no of items|nbre|couverts|couvert|guests|covers|personen`,
  rounding: `rounding|arrondi|afronding|rundung|redondeo|arrotondamento|rounding adj|afgerond|afrondingsverschil|
    rundungsdifferenz`,
  rounded: `total arrondi|totaal afgerond|totaal na afronding|total after rounding|rounded total|nach rundung`,
  tip: `tip|gratuity|srv chg|svc chg|service chg|pourboire|fooi|trinkgeld|propina|mancia|service charge|servicio|coperto|service|fooien`,
  points: `points|punkte|punten|puntos|punti|solde|saldo|zegels|loyalty|fidelite|payback|clubcard|nectar|new balance|
    available balance|spaarpunten|spaarzegels|fidelity|treuepunkte|cagnotte|kontostand|restguthaben|guthaben|remaining`,
  equivalent: `entspricht|equivalent|tegenwaarde|kurs|exchange|wechselkurs|taux de change|wisselkoers|exchange rate|rate|cours|
    tipo de cambio|tasso di cambio|contre valeur|contravalor`,
  deposit: `acompte|voorschot|anzahlung|anticipo|acconto|deja paye|already paid|anzahlungen|aanbetaling|prepaid`,
  untaxed: `ohne mwst|ohne ust|steuerfrei|exonere|hors champ|vrijgesteld|exento|esente|exempt|zero rated|pfand|leergut|vidange|
    vidanges|consigne|statiegeld|leeggoed|kurtaxe|ortstaxe|taxe de sejour|toeristenbelasting|city tax|citytax|
    tassa di soggiorno|imposta di soggiorno|tasa turistica|debours|disbursement|verauslagt|non soggetto|zonder btw`,
  identifier: `tel|telefon|telefoon|telephone|telefono|fax|phone|iban|bic|siret|siren|kvk|handelsregister|hrb|uid|naf|ape|rcs|
    ust idnr|ustid|steuernr|steuernummer|btw nr|btw nummer|tva intra|num tva|partita iva|p iva|piva|nif|cif|vat no|vat reg|
    vat number|kundennr|customer no|client no|kassennr|terminal|aid|tid|mid|trace|auth|autorisation|siege|ean|genehmigung|
    filiale|reg no|company no|merchant id|codice fiscale|cod fisc|bsn|au capital|capital de|capital social|tax id|taxid|ein|abn|mwst nr|kartennr|nr carte|matricola|rt`,
  date: `date|datum|fecha|data|date facture|invoice date|factuurdatum|rechnungsdatum|belegdatum|data fattura|le|den|am|
    fecha factura|date of issue|issue date|date d achat|fecha de emision|fecha emision|data emissione|ausstellungsdatum|
    aankoopdatum|transactiedatum|sale date|transaction date|date de facture|date facturation|bon du|du|datum tijd|leistungsdatum`,
  issue_date: `date facture|invoice date|factuurdatum|rechnungsdatum|belegdatum|data fattura|fecha factura|date of issue|issue date|
    fecha de emision|fecha emision|data emissione|ausstellungsdatum|transactiedatum|transaction date|date de facture|
    date facturation|data documento|date de la facture|fecha de factura|data di emissione|gekauft am|kaufdatum|fattura del`,
  not_date: `travel date|date de voyage|date du voyage|reisedatum|reisdatum|fecha de viaje|data viaggio|data del viaggio|reisetag|echeance|date limite|vervaldatum|vervaldag|fallig|fallig am|faellig|zahlbar bis|scadenza|vencimiento|due date|due|
    payment due|valid until|expires|expiry|gultig bis|gueltig bis|gultig|geldig|geldig tot|valable|valable jusqu|
    valido|valida|valido hasta|valido fino|uiterlijk|until|vor|livraison|lieferdatum|leverdatum|delivery|entrega|consegna|
    garantie|garanzia|garantia|naissance|birth|geboortedatum|best before|tht|mindestens haltbar|bis|tot|fino al|hasta|jusqu|
    jusqu au|a regler avant|periode|period|leistungszeitraum|abreise|depart|checkout|anreise|arrival|departure|departure date|
    arrivee|aankomst|vertrek|llegada|salida|arrivo|partenza|check in|check out|commande|besteldatum|order date|retour avant|
    umtausch|ruilen|echange|return by|exp|pay by|betaal voor|payable by|pagar antes|expira|caduca|gultigkeit|validity|
    bestelldatum|date commande|bestellt|ordered|version|copyright|update|stand|seit|since|depuis|sinds|dal|desde`,
  address: `rue|straat|strasse|str|street|via|calle|avenue|ave|av|plein|weg|laan|road|rd|piazza|platz|boulevard|bd|blvd|
    chaussee|steenweg|place|allee|quai|kade|gasse|strabe|jalan|jln|lane|plaza|paseo|corso|viale|route|rte|chemin|impasse|square|drive|po box|
    postbus|boite|bus|floor|suite|unit|parc|zone|zi|industrieweg|gracht|singel|dreef|ring|damm|ufer|carretera|ctra|avda|
    largo|vicolo|centre commercial|shopping|high`,
  title: `facture|invoice|rechnung|ticket|receipt|bon|kassabon|factuur|scontrino|documento commerciale|factura|
    factura simplificada|kundenbeleg|welcome|bienvenue|merci|welkom|willkommen|quittung|beleg|kassenbon|kassenbeleg|recu|
    simplified tax invoice|for shopping|guest number|order number|goods sold|our store|your visit|checkout|
    ticket de caisse|bewirtungsbeleg|bewijs|fattura|ricevuta|benvenuti|bienvenidos|grazie|gracias|danke|bedankt|thank you|thanks|
    vielen dank|copie|copy|kopie|duplicata|duplicaat|original|tax invoice|sales receipt|guest check|table|tisch|tafel|tavolo|
    mesa|kasse|kassa|caisse|caja|cassa|cashier|server|bediener|serveur|bediende|kassier|order|bestelling|commande|bestellung|
    ordine|pedido|handlerbeleg|handelaarsexemplaar|exemplaire client|client copy|customer copy|klantticket|betaalbewijs|
    di vendita o prestazione|rechnung nr|simplified invoice|nota|page|seite|pagina|bestelbon|transaction|terminal|
    carte bancaire|check|date|datum|fecha|heure|uhr|uhrzeit|time|description|artikel|omschrijving|qty|bezeichnung|designation|
    simplificada|kassenzettel|credit note|avoir|proforma|bonnummer|reservation|boarding pass|bestellnummer|customer receipt`,
  customer: `bill to|billed to|sold to|ship to|customer|klant|kunde|client|cliente|factureren aan|facturer a|facture a|
    rechnungsempfanger|rechnung an|adresse de livraison|lieferadresse|spett|spettabile|destinatario|afleveradres|
    factuuradres|an|attn|t a v|rechnungsanschrift|adresse de facturation|datos del cliente|facturado a|cessionario`,
  reference: `facture n|facture no|facture|numero de facture|no facture|invoice no|invoice number|invoice|rechnungsnr|
    rechnungsnummer|rechnung nr|rechnung|belegnr|beleg nr|belegnummer|bon nr|bonnr|bonnummer|bon|bon no|ticket no|ticket nr|ticket n|
    ticket|receipt no|receipt|receipt number|factuurnummer|factuurnr|factuur nr|factuur|documento n|doc n|n documento|
    documento|factura n|factura|numero factura|n factura|fattura n|fattura|numero fattura|scontrino n|kassenbon nr|recu n|
    n ticket|num ticket|order no|quittung nr|n facture|ref|reference|referenz|referentie|kassabon|bestelnummer|transactie|
    transaction|trans|trx|num factura|factura simplificada|factura simpl|ricevuta|ricevuta n|ticketnr|note|order|bestelling|op|n scontrino|scontrino|invoice nr|beleg|quittung|folio|nota`
} as const

export type Concept = keyof typeof phrases

/** A phrase of a row that expresses a concept; it consists of the words `from` to `to` (inclusive). */
export interface Label {
  readonly concept: Concept
  readonly from: number
  readonly to: number
}

/** Common words that differ from a keyword by one letter. */
const unrelated =
  "charge|charges|carton|barre|bars|nett|sumo|terre|cashew|tisane|tarte|datas|visage|bond|cartel|totem|bonne|" +
  "pizza|pasta|pesto|plate|palace|large|plain|japan|klang|petaling|shipping|summer|final|hours|cover|cable|under|unter"

const entries = Object.entries(phrases).flatMap(([concept, text]) =>
  // Boundary: `Object.entries` types the keys as strings, but they are the concepts.
  text.split("|").map((phrase) => ({ concept: concept as Concept, tokens: phrase.trim().split(/\s+/) }))
)

/** Phrases by their first word; a phrase may also be written without spaces ("SUBTOTAL", "TEBETALEN"). */
const phrasesByStart = Map.groupBy(
  entries.flatMap((entry) => {
    const together = entry.tokens.join("")
    return entry.tokens.length > 1 && together.length >= 6 ? [entry, { ...entry, tokens: [together] }] : [entry]
  }),
  (entry) => entry.tokens[0] ?? ""
)
const vocabulary = new Set([
  ...[...phrasesByStart.values()].flat().flatMap((entry) => entry.tokens),
  ...unrelated.split("|")
])
const vocabularyByLength = Map.groupBy(vocabulary, (word) => word.length)

/** Minimum length at which a word may differ by one letter; shorter words resemble too many others. */
const fuzzy_length_min = 5
const fuzzier_length_min = 9

/** Converts to lower case without accents, and "ß" to "ss". */
export const folded = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("œ", "oe")

/** Returns only the letters and digits of a name, which different spellings have in common. */
export const lettersOf = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, "")

interface Token {
  readonly text: string
  readonly at: number
}

/** Finds the keywords of rows. Caches which keyword a word means, because a receipt repeats its words. */
export const labelsOf = () => {
  const seen = new Map<string, string>()
  const known = (word: string): string => {
    const before = seen.get(word)
    if (before !== undefined) return before
    const found = vocabulary.has(word) ? word : (similar(word) ?? word)
    seen.set(word, found)
    return found
  }
  return (words: ReadonlyArray<string>): ReadonlyArray<Label> => {
    const tokens = spaced(words.flatMap(tokensOf)).map(({ at, text }) => ({ at, text: known(text) }))
    const found = tokens.flatMap((token, start) =>
      (phrasesByStart.get(token.text) ?? []).flatMap(({ concept, tokens: phrase }) => {
        const end = start + phrase.length - 1
        const to = tokens[end]?.at
        if (to === undefined || !phrase.every((part, step) => tokens[start + step]?.text === part)) return []
        return [{ concept, from: token.at, to, start, end }]
      })
    )
    return found.filter((label) => !found.some((other) => isWithinLonger(label, other)))
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** True if a longer label contains this one, as "sous total" contains "total". */
const isWithinLonger = (label: Span, other: Span) =>
  other.start <= label.start && label.end <= other.end && other.end - other.start > label.end - label.start

/** Joins "I.V.A." to "iva". */
const dotted = /(?<![a-z])([a-z])\.(?=[a-z](?![a-z]))/g

/** A digit within a run of letters is a misread letter, unless it numbers a keyword ("TVA1"). */
const tokensOf = (word: string, at: number): ReadonlyArray<Token> =>
  (
    folded(word)
      .replace(dotted, "$1")
      .match(/[a-z0-9]+/g) ?? []
  ).flatMap((run) => {
    const letters = run.replace(/\d/g, "").length
    if (letters === 0 || letters * 2 < run.length) return []
    const numbered = run.replace(/(?<=[a-z]{3})\d{1,2}$/, "")
    if (vocabulary.has(numbered)) return [{ text: numbered, at }]
    const text = run
      .replaceAll("0", "o")
      .replaceAll("1", "l")
      .replaceAll("5", "s")
      .replaceAll("8", "b")
      .replace(/\d/g, "")
    return [{ text, at }]
  })

/** Joins "T O T A L" to one word. */
const spaced = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const result: Array<Token> = []
  let single: Array<Token> = []
  const flush = () => {
    const [start] = single
    if (start !== undefined && single.length >= 4)
      result.push({ text: single.map(({ text }) => text).join(""), at: start.at })
    else result.push(...single)
    single = []
  }
  for (const token of tokens) {
    if (token.text.length === 1) single.push(token)
    else {
      flush()
      result.push(token)
    }
  }
  flush()
  return result
}

const similar = (word: string): string | undefined => {
  if (word.length < fuzzy_length_min) return undefined
  const errors_max = word.length >= fuzzier_length_min ? 2 : 1
  for (let errors = 1; errors <= errors_max; errors++) {
    for (let length = word.length - errors; length <= word.length + errors; length++) {
      if (length < fuzzy_length_min) continue
      const found = vocabularyByLength.get(length)?.find((candidate) => isWithin(word, candidate, errors))
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** True if two texts differ by at most `errors` missing, additional or misread letters. */
export const isWithin = (a: string, b: string, errors: number, i = 0, j = 0): boolean => {
  while (i < a.length && j < b.length && a[i] === b[j]) {
    i++
    j++
  }
  if (i === a.length || j === b.length) return a.length - i + (b.length - j) <= errors
  if (errors === 0) return false
  return (
    isWithin(a, b, errors - 1, i + 1, j + 1) ||
    isWithin(a, b, errors - 1, i + 1, j) ||
    isWithin(a, b, errors - 1, i, j + 1)
  )
}
