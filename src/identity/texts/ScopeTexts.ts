import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

type Words = Readonly<Record<PageLanguage, string>>

const words = (en: string, fr: string, nl: string, de: string, es: string, it: string): Words => ({
  en,
  fr,
  nl,
  de,
  es,
  it
})

/** Words for the first half of a scope. */
const things: Readonly<Record<string, Words>> = {
  organizations: words(
    "Organizations",
    "Organisations",
    "Organisaties",
    "Organisationen",
    "Organizaciones",
    "Organizzazioni"
  ),
  customers: words("Customers", "Clients", "Klanten", "Kunden", "Clientes", "Clienti"),
  contacts: words("Contacts", "Contacts", "Contactpersonen", "Kontakte", "Contactos", "Contatti"),
  invoices: words("Invoices", "Factures", "Facturen", "Rechnungen", "Facturas", "Fatture"),
  quotes: words("Quotes", "Devis", "Offertes", "Angebote", "Presupuestos", "Preventivi"),
  credit_notes: words(
    "Credit notes",
    "Notes de crédit",
    "Creditnota’s",
    "Gutschriften",
    "Notas de crédito",
    "Note di credito"
  ),
  payments: words("Payments", "Paiements", "Betalingen", "Zahlungen", "Pagos", "Pagamenti"),
  expenses: words("Expenses", "Dépenses", "Uitgaven", "Ausgaben", "Gastos", "Spese"),
  bank_accounts: words(
    "Bank accounts",
    "Comptes bancaires",
    "Bankrekeningen",
    "Bankkonten",
    "Cuentas bancarias",
    "Conti bancari"
  ),
  bank_transactions: words(
    "Bank transactions",
    "Opérations bancaires",
    "Banktransacties",
    "Bankumsätze",
    "Movimientos bancarios",
    "Movimenti bancari"
  ),
  bank_rules: words(
    "Bank rules",
    "Règles bancaires",
    "Bankregels",
    "Bankregeln",
    "Reglas bancarias",
    "Regole bancarie"
  ),
  einvoicing: words(
    "E-invoicing",
    "Facturation électronique",
    "E-facturatie",
    "E-Rechnung",
    "Facturación electrónica",
    "Fatturazione elettronica"
  ),
  archive: words("Archive", "Archives", "Archief", "Archiv", "Archivo", "Archivio"),
  reports: words("Reports", "Rapports", "Rapporten", "Berichte", "Informes", "Rapporti"),
  webhooks: words("Webhooks", "Webhooks", "Webhooks", "Webhooks", "Webhooks", "Webhook")
}

/** Words for the second half of a scope. */
const deeds: Readonly<Record<string, Words>> = {
  read: words("read", "lire", "lezen", "lesen", "leer", "leggere"),
  view: words("read", "lire", "lezen", "lesen", "leer", "leggere"),
  write: words(
    "create and change",
    "créer et modifier",
    "aanmaken en wijzigen",
    "anlegen und ändern",
    "crear y modificar",
    "creare e modificare"
  ),
  create: words("create", "créer", "aanmaken", "anlegen", "crear", "creare"),
  update: words("change", "modifier", "wijzigen", "ändern", "modificar", "modificare"),
  delete: words("delete", "supprimer", "verwijderen", "löschen", "eliminar", "eliminare"),
  users: words(
    "manage members",
    "gérer les membres",
    "leden beheren",
    "Mitglieder verwalten",
    "gestionar miembros",
    "gestire i membri"
  ),
  send: words("send", "envoyer", "verzenden", "versenden", "enviar", "inviare"),
  convert: words(
    "turn into invoices",
    "convertir en factures",
    "omzetten in facturen",
    "in Rechnungen umwandeln",
    "convertir en facturas",
    "convertire in fatture"
  ),
  refund: words("refund", "rembourser", "terugbetalen", "erstatten", "reembolsar", "rimborsare"),
  import: words("import", "importer", "importeren", "importieren", "importar", "importare"),
  submit: words("submit", "transmettre", "indienen", "einreichen", "presentar", "trasmettere"),
  register: words("register", "inscrire", "registreren", "registrieren", "registrar", "registrare"),
  export: words("export", "exporter", "exporteren", "exportieren", "exportar", "esportare")
}

/** Returns one line per resource, such as `Invoices: read, create and change, send`. */
export const scopeLines = (scopes: ReadonlyArray<string>, language: PageLanguage): ReadonlyArray<string> => {
  const lines = new Map<string, Array<string>>()
  for (const scope of scopes) {
    const [thing = "", deed = ""] = scope.split(/[:.]/)
    const line = lines.get(thing) ?? []
    line.push(deeds[deed]?.[language] ?? deed)
    lines.set(thing, line)
  }
  const colon = language === "fr" ? "\u00a0: " : ": "
  return [...lines].map(([thing, done]) => `${things[thing]?.[language] ?? thing}${colon}${done.join(", ")}`)
}
