import type { Language } from "../Receipt.ts"

/** Words that receipts print. Each has the variants that real receipts use, the most common one first. */
export interface Words {
  readonly receipt: ReadonlyArray<string>
  readonly number: ReadonlyArray<string>
  readonly date: ReadonlyArray<string>
  readonly time: ReadonlyArray<string>
  readonly cashier: ReadonlyArray<string>
  readonly table: ReadonlyArray<string>
  readonly subtotal: ReadonlyArray<string>
  readonly total: ReadonlyArray<string>
  readonly payable: ReadonlyArray<string>
  readonly rounding: ReadonlyArray<string>
  readonly discount: ReadonlyArray<string>
  readonly saved: ReadonlyArray<string>
  readonly articles: ReadonlyArray<string>
  readonly cash: ReadonlyArray<string>
  readonly given: ReadonlyArray<string>
  readonly change: ReadonlyArray<string>
  readonly card: ReadonlyArray<string>
  readonly paid: ReadonlyArray<string>
  readonly authorization: ReadonlyArray<string>
  readonly tip: ReadonlyArray<string>
  readonly rate: ReadonlyArray<string>
  readonly net: ReadonlyArray<string>
  readonly gross: ReadonlyArray<string>
  readonly taxIncluded: ReadonlyArray<string>
  readonly thanks: ReadonlyArray<string>
  readonly voucher: ReadonlyArray<string>
  readonly customerCopy: ReadonlyArray<string>
}

export const words: Readonly<Record<Language, Words>> = {
  en: {
    receipt: ["RECEIPT", "SALES RECEIPT", "VAT RECEIPT", "CUSTOMER RECEIPT"],
    number: ["Receipt no.", "Receipt #", "Trans #", "Order", "Ticket No"],
    date: ["Date", "DATE", "Date:"],
    time: ["Time", "Time:"],
    cashier: ["Served by", "Cashier", "You were served by", "Operator"],
    table: ["Table", "TABLE"],
    subtotal: ["Subtotal", "SUBTOTAL", "Sub Total", "Sub-total"],
    total: ["TOTAL", "Total", "TOTAL DUE", "Grand Total", "TOTAL TO PAY"],
    payable: ["AMOUNT DUE", "TO PAY", "Balance Due"],
    rounding: ["Rounding"],
    discount: ["Discount", "Loyalty discount", "PROMO", "Multibuy saving"],
    saved: ["You saved today", "TOTAL SAVINGS"],
    articles: ["ITEMS", "No. of items", "Item count"],
    cash: ["CASH", "Cash"],
    given: ["Cash tendered", "CASH", "Tendered"],
    change: ["CHANGE", "Change", "Change due"],
    card: ["VISA DEBIT", "MASTERCARD", "Card", "CARD PAYMENT", "Contactless", "VISA"],
    paid: ["AMOUNT", "SALE", "Amount"],
    authorization: ["Auth code", "AUTH"],
    tip: ["Gratuity", "Tip"],
    rate: ["Rate", "VAT %"],
    net: ["Net", "Goods", "Ex VAT"],
    gross: ["Gross", "Total"],
    taxIncluded: ["VAT included", "incl. VAT", "Includes VAT"],
    thanks: ["Thank you for your custom", "THANK YOU - PLEASE CALL AGAIN", "Thank you for shopping with us!"],
    voucher: ["Money off your next shop. Valid until", "Refunds with receipt until"],
    customerCopy: ["CUSTOMER COPY", "*** CARDHOLDER COPY ***"]
  },
  fr: {
    receipt: ["TICKET DE CAISSE", "REÇU", "NOTE", "TICKET CLIENT"],
    number: ["Ticket n°", "N° ticket", "Facture N°", "Note N°", "TICKET"],
    date: ["Date", "Le", "Date :"],
    time: ["Heure", "à"],
    cashier: ["Caissier", "Servi par", "Vendeur", "Vous avez été servi par"],
    table: ["Table", "TABLE N°"],
    subtotal: ["Sous-total", "SOUS TOTAL", "Total brut"],
    total: ["TOTAL TTC", "TOTAL", "Total à payer", "NET A PAYER", "TOTAL EUR", "Montant TTC"],
    payable: ["A PAYER", "NET A PAYER", "Reste à payer"],
    rounding: ["Arrondi"],
    discount: ["Remise", "Remise fidélité", "PROMO", "Avantage carte"],
    saved: ["Vous avez économisé", "Total avantages"],
    articles: ["Nb articles", "NOMBRE D'ARTICLES", "Articles"],
    cash: ["ESPECES", "Espèces"],
    given: ["Espèces reçues", "ESPECES", "Reçu"],
    change: ["Rendu", "A RENDRE", "RENDU MONNAIE", "Monnaie"],
    card: ["CB", "CARTE BANCAIRE", "Carte Bleue", "CB SANS CONTACT", "VISA", "Bancontact"],
    paid: ["MONTANT", "MONTANT REEL", "Montant"],
    authorization: ["AUTO", "No AUTO"],
    tip: ["Pourboire"],
    rate: ["Taux", "%TVA", "Taux TVA"],
    net: ["H.T.", "HT", "Base HT", "Montant HT"],
    gross: ["T.T.C.", "TTC", "Montant TTC"],
    taxIncluded: ["dont TVA", "TVA incluse", "Dont T.V.A."],
    thanks: ["Merci de votre visite", "MERCI ET A BIENTOT", "Merci de votre confiance", "A bientôt !"],
    voucher: ["Bon d'achat valable jusqu'au", "Echange possible jusqu'au"],
    customerCopy: ["TICKET CLIENT A CONSERVER", "TICKET CLIENT"]
  },
  nl: {
    receipt: ["KASSABON", "BON", "KASTICKET", "KOPIE KLANT"],
    number: ["Bonnr", "Bonnummer", "Bon nr.", "Ticketnr", "Transactie"],
    date: ["Datum", "DATUM", "Datum:"],
    time: ["Tijd", "Tijd:"],
    cashier: ["Bediend door", "Medewerker", "U werd geholpen door", "Kassier"],
    table: ["Tafel", "TAFEL"],
    subtotal: ["Subtotaal", "SUBTOTAAL", "Sub-totaal"],
    total: ["TOTAAL", "Totaal", "TE BETALEN", "Totaal te betalen", "TOTAAL EUR", "Totaalbedrag"],
    payable: ["TE BETALEN", "Te betalen", "Totaal afgerond"],
    rounding: ["Afronding", "AFRONDING", "Afrondingsverschil"],
    discount: ["Korting", "BONUS", "Actie", "Klantenkorting"],
    saved: ["Uw voordeel", "UW VOORDEEL VANDAAG"],
    articles: ["Aantal artikelen", "AANTAL", "Artikelen"],
    cash: ["CONTANT", "Contant"],
    given: ["Contant", "Ontvangen", "CONTANT ONTVANGEN"],
    change: ["Wisselgeld", "TERUG", "Terug"],
    card: ["PIN", "PINNEN", "Bankpas", "BETAALD MET PIN", "Bancontact", "Maestro", "V PAY"],
    paid: ["Bedrag", "BEDRAG", "Totaal"],
    authorization: ["Autorisatiecode", "Auth. code"],
    tip: ["Fooi"],
    rate: ["%", "BTW %", "Tarief"],
    net: ["Over", "Excl.", "Netto", "Grondslag", "MvH"],
    gross: ["Incl.", "Bruto", "Totaal"],
    taxIncluded: ["Waarvan BTW", "incl. BTW", "BTW inbegrepen"],
    thanks: ["Bedankt en tot ziens", "BEDANKT VOOR UW BEZOEK", "Dank u wel en tot ziens!"],
    voucher: ["Ruilen kan tot en met", "Actie geldig t/m"],
    customerCopy: ["KLANTTICKET", "KOPIE KAARTHOUDER"]
  },
  de: {
    receipt: ["KASSENBON", "RECHNUNG", "BELEG", "Quittung"],
    number: ["Bon-Nr.", "Beleg-Nr.", "Rechnungs-Nr.", "Bon Nr", "Quittung Nr."],
    date: ["Datum", "Datum:", "DATUM"],
    time: ["Uhrzeit", "Zeit:", "Uhrzeit:"],
    cashier: ["Es bediente Sie", "Bediener", "Kassierer", "Sie wurden bedient von"],
    table: ["Tisch", "TISCH"],
    subtotal: ["Zwischensumme", "ZWISCHENSUMME", "Zwi-Summe"],
    total: ["SUMME", "GESAMT", "Gesamtbetrag", "TOTAL", "Summe", "Zu zahlen", "Endbetrag"],
    payable: ["ZU ZAHLEN", "Zu bezahlen", "Total gerundet"],
    rounding: ["Rundung", "Rundungsdifferenz"],
    discount: ["Rabatt", "Kundenrabatt", "AKTION", "Nachlass"],
    saved: ["Sie haben gespart", "Ihr Preisvorteil"],
    articles: ["Anzahl Artikel", "Posten", "Artikelanzahl"],
    cash: ["BAR", "Bar"],
    given: ["Gegeben", "BAR", "Geg. BAR", "Bar erhalten"],
    change: ["Rückgeld", "RÜCKGELD", "Zurück", "Rückgeld BAR"],
    card: ["girocard", "EC-Karte", "KARTE", "Kartenzahlung", "Visa", "Mastercard", "Geg. EC-Cash", "Bankomat"],
    paid: ["Betrag", "BETRAG", "Zahlung"],
    authorization: ["Genehmigungs-Nr.", "Gen.Nr."],
    tip: ["Trinkgeld"],
    rate: ["MwSt%", "Satz", "%"],
    net: ["Netto", "NETTO", "Netto-Umsatz"],
    gross: ["Brutto", "BRUTTO", "Umsatz"],
    taxIncluded: ["enthaltene MwSt", "inkl. MwSt", "darin enthaltene MwSt."],
    thanks: ["Vielen Dank für Ihren Einkauf", "Vielen Dank, auf Wiedersehen!", "DANKE FÜR IHREN BESUCH"],
    voucher: ["Gutschein gültig bis", "Umtausch mit Bon bis"],
    customerCopy: ["* * KUNDENBELEG * *", "Kundenbeleg"]
  },
  es: {
    receipt: ["FACTURA SIMPLIFICADA", "TICKET", "Factura simplificada", "RECIBO"],
    number: ["Factura simpl.", "Nº Ticket", "Ticket:", "Factura Nº", "Op."],
    date: ["Fecha", "FECHA", "Fecha:"],
    time: ["Hora", "Hora:"],
    cashier: ["Le atendió", "Cajero", "Atendido por", "Vendedor"],
    table: ["Mesa", "MESA"],
    subtotal: ["Subtotal", "SUBTOTAL", "Suma"],
    total: ["TOTAL", "TOTAL A PAGAR", "Total (€)", "IMPORTE TOTAL", "TOTAL EUR", "Total"],
    payable: ["A PAGAR", "TOTAL A PAGAR"],
    rounding: ["Redondeo"],
    discount: ["Descuento", "DTO.", "Promoción", "Dto. cliente"],
    saved: ["Usted ha ahorrado", "AHORRO TOTAL"],
    articles: ["Nº artículos", "Artículos", "UNIDADES"],
    cash: ["EFECTIVO", "Efectivo"],
    given: ["Entregado", "EFECTIVO", "Entrega"],
    change: ["Cambio", "CAMBIO", "Devolución", "Su cambio"],
    card: ["TARJETA", "TARJETA BANCARIA", "Visa", "TARJ. CREDITO", "Pago con tarjeta"],
    paid: ["IMPORTE", "Importe"],
    authorization: ["Autorización", "AUT"],
    tip: ["Propina"],
    rate: ["%IVA", "Tipo", "IVA %"],
    net: ["Base", "BASE IMP.", "Base imponible"],
    gross: ["Total", "TOTAL"],
    taxIncluded: ["IVA incluido", "Incluye IVA"],
    thanks: ["Gracias por su visita", "GRACIAS POR SU COMPRA", "¡Gracias y hasta pronto!"],
    voucher: ["Devoluciones con ticket hasta el", "Cupón válido hasta"],
    customerCopy: ["COPIA PARA EL CLIENTE", "RECIBO CLIENTE"]
  },
  it: {
    receipt: ["DOCUMENTO COMMERCIALE", "SCONTRINO", "RICEVUTA", "DOCUMENTO COMMERCIALE"],
    number: ["DOCUMENTO N.", "Doc. n.", "N. SCONTRINO", "Ricevuta n."],
    date: ["Data", "DATA", "del"],
    time: ["Ora", "ore"],
    cashier: ["Operatore", "Cassa", "Servito da", "Cassiere"],
    table: ["Tavolo", "TAVOLO"],
    subtotal: ["Subtotale", "SUBTOTALE", "SUB-TOTALE"],
    total: ["TOTALE COMPLESSIVO", "TOTALE", "TOTALE EURO", "Totale", "IMPORTO TOTALE"],
    payable: ["DA PAGARE", "Importo da pagare"],
    rounding: ["Arrotondamento"],
    discount: ["Sconto", "SCONTO", "Sconto fedeltà", "PROMO"],
    saved: ["Hai risparmiato", "Totale sconti"],
    articles: ["N. articoli", "Pezzi", "NUMERO ARTICOLI"],
    cash: ["CONTANTE", "Contanti", "Pagamento contante"],
    given: ["Pagamento contante", "CONTANTE", "Contanti"],
    change: ["Resto", "RESTO"],
    card: ["Pagamento elettronico", "PAGAMENTO ELETTRONICO", "CARTA DI CREDITO", "Bancomat"],
    paid: ["Importo pagato", "IMPORTO"],
    authorization: ["Cod. Aut.", "AUT."],
    tip: ["Mancia"],
    rate: ["Aliquota", "IVA%"],
    net: ["Imponibile", "IMPONIBILE"],
    gross: ["Totale", "Lordo"],
    taxIncluded: ["di cui IVA", "DI CUI IVA", "IVA inclusa"],
    thanks: ["Grazie e arrivederci", "GRAZIE PER LA VISITA", "Arrivederci e grazie"],
    voucher: ["Buono sconto valido fino al", "Cambio merce entro il"],
    customerCopy: ["COPIA CLIENTE", "RICEVUTA CARDHOLDER"]
  }
}
