import type { DocumentLanguage } from "../DocumentLabels.ts"

const en = {
  delivery_date: "Delivery date",
  delivery_period: "Delivery period",
  delivery_address: "Delivery address",
  purchase_order: "Your order",
  buyer_reference: "Your reference",
  contract_reference: "Contract",
  project_reference: "Project",
  operation_nature: "Transaction",
  natures: { goods: "Supply of goods", services: "Supply of services", mixed: "Supply of goods and services" },
  corrective_cause: "Cause of correction",
  /** The sum of the lines, before discounts and charges on the whole document. */
  lines_total: "Sum of the lines",
  prepaid: "Paid in advance",
  payment_method: "Means of payment",
  methods: { bank_transfer: "Bank transfer", direct_debit: "Direct debit", card: "Card", cash: "Cash" },
  mandate_reference: "Mandate reference",
  creditor_identifier: "Creditor identifier",
  debited_iban: "Debited account",
  card_holder: "Card holder"
}

type DetailLabels = typeof en

const fr: DetailLabels = {
  delivery_date: "Livraison ou prestation",
  delivery_period: "Période de livraison ou de prestation",
  delivery_address: "Adresse de livraison",
  purchase_order: "Votre commande",
  buyer_reference: "Votre référence",
  contract_reference: "Contrat",
  project_reference: "Projet",
  operation_nature: "Nature de l’opération",
  natures: {
    goods: "Livraison de biens",
    services: "Prestation de services",
    mixed: "Livraison de biens et prestation de services"
  },
  corrective_cause: "Motif de rectification",
  lines_total: "Total des lignes",
  prepaid: "Payé d’avance",
  payment_method: "Moyen de paiement",
  methods: { bank_transfer: "Virement", direct_debit: "Prélèvement", card: "Carte", cash: "Espèces" },
  mandate_reference: "Référence du mandat",
  creditor_identifier: "Identifiant créancier",
  debited_iban: "Compte débité",
  card_holder: "Titulaire de la carte"
}

const nl: DetailLabels = {
  delivery_date: "Leverdatum",
  delivery_period: "Leverperiode",
  delivery_address: "Leveradres",
  purchase_order: "Uw bestelling",
  buyer_reference: "Uw referentie",
  contract_reference: "Overeenkomst",
  project_reference: "Project",
  operation_nature: "Handeling",
  natures: {
    goods: "Levering van goederen",
    services: "Verrichting van diensten",
    mixed: "Levering van goederen en verrichting van diensten"
  },
  corrective_cause: "Reden van correctie",
  lines_total: "Totaal van de regels",
  prepaid: "Vooraf betaald",
  payment_method: "Betaalwijze",
  methods: { bank_transfer: "Overschrijving", direct_debit: "Automatische incasso", card: "Kaart", cash: "Contant" },
  mandate_reference: "Mandaatreferentie",
  creditor_identifier: "Schuldeiser-ID",
  debited_iban: "Gedebiteerde rekening",
  card_holder: "Kaarthouder"
}

const de: DetailLabels = {
  delivery_date: "Leistungsdatum",
  delivery_period: "Leistungszeitraum",
  delivery_address: "Lieferadresse",
  purchase_order: "Ihre Bestellung",
  buyer_reference: "Ihre Referenz",
  contract_reference: "Vertrag",
  project_reference: "Projekt",
  operation_nature: "Art der Leistung",
  natures: { goods: "Lieferung", services: "Sonstige Leistung", mixed: "Lieferung und sonstige Leistung" },
  corrective_cause: "Grund der Berichtigung",
  lines_total: "Summe der Positionen",
  prepaid: "Vorausbezahlt",
  payment_method: "Zahlungsart",
  methods: { bank_transfer: "Überweisung", direct_debit: "Lastschrift", card: "Karte", cash: "Bar" },
  mandate_reference: "Mandatsreferenz",
  creditor_identifier: "Gläubiger-ID",
  debited_iban: "Belastetes Konto",
  card_holder: "Karteninhaber"
}

const es: DetailLabels = {
  delivery_date: "Fecha de la operación",
  delivery_period: "Periodo de la operación",
  delivery_address: "Dirección de entrega",
  purchase_order: "Su pedido",
  buyer_reference: "Su referencia",
  contract_reference: "Contrato",
  project_reference: "Proyecto",
  operation_nature: "Operación",
  natures: {
    goods: "Entrega de bienes",
    services: "Prestación de servicios",
    mixed: "Entrega de bienes y prestación de servicios"
  },
  corrective_cause: "Causa de la rectificación",
  lines_total: "Suma de las líneas",
  prepaid: "Pagado por anticipado",
  payment_method: "Forma de pago",
  methods: { bank_transfer: "Transferencia", direct_debit: "Domiciliación", card: "Tarjeta", cash: "Efectivo" },
  mandate_reference: "Referencia del mandato",
  creditor_identifier: "Identificador del acreedor",
  debited_iban: "Cuenta de cargo",
  card_holder: "Titular de la tarjeta"
}

const it: DetailLabels = {
  delivery_date: "Data dell’operazione",
  delivery_period: "Periodo dell’operazione",
  delivery_address: "Indirizzo di consegna",
  purchase_order: "Vostro ordine",
  buyer_reference: "Vostro riferimento",
  contract_reference: "Contratto",
  project_reference: "Progetto",
  operation_nature: "Operazione",
  natures: {
    goods: "Cessione di beni",
    services: "Prestazione di servizi",
    mixed: "Cessione di beni e prestazione di servizi"
  },
  corrective_cause: "Causa della rettifica",
  lines_total: "Somma delle righe",
  prepaid: "Pagato in anticipo",
  payment_method: "Modalità di pagamento",
  methods: { bank_transfer: "Bonifico", direct_debit: "Addebito diretto", card: "Carta", cash: "Contanti" },
  mandate_reference: "Riferimento del mandato",
  creditor_identifier: "Identificativo del creditore",
  debited_iban: "Conto addebitato",
  card_holder: "Titolare della carta"
}

export const detailLabels: Readonly<Record<DocumentLanguage, DetailLabels>> = { en, fr, nl, de, es, it }
