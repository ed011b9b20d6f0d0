import type { DemoOrganization } from "./DemoOrganization.ts"

export const atelierLumiere: DemoOrganization = {
  draft: { name: "Atelier Lumière", country: "FR", currency: "EUR", timezone: "Europe/Paris", language: "fr" },
  owner: { name: "Claire Moreau", email: "claire.moreau@example.com" },
  members: [{ name: "Inès Laurent", email: "ines.laurent@example.com", role: "viewer" }],
  profile: {
    address_line1: "18 rue des Francs-Bourgeois",
    address_line2: "Bâtiment C",
    postal_code: "75003",
    city: "Paris",
    subdivision_code: "FR-75C",
    contact_name: "Claire Moreau",
    contact_email: "facturation@example.com",
    contact_phone: "+33 1 99 00 12 34",
    website: "https://atelier-lumiere.example.com",
    legal_form: "SARL",
    registration_number: "812345676",
    tax_number: "FR19812345676",
    settings: [
      { key: "payment_iban", value: "FR76 3000 6000 0112 3456 7890 189" },
      { key: "payment_bic", value: "AGRIFRPP" }
    ]
  },
  customers: [
    {
      details: {
        name: "Galerie Beaurepaire",
        email: "compta@beaurepaire.example.com",
        phone: "+33 1 99 00 45 67",
        tax_number: "FR85794561233",
        address_line1: "7 rue Charlot",
        postal_code: "75003",
        city: "Paris",
        country: "FR",
        language: "fr",
        currency: "EUR",
        einvoicing_identifier_scheme: "0009",
        einvoicing_identifier_value: "79456123300014"
      },
      contact: {
        name: "Hugo Lefèvre",
        email: "hugo.lefevre@beaurepaire.example.com",
        position: "Régisseur",
        is_primary: true
      }
    },
    {
      details: {
        name: "Brasserie du Vieux-Port",
        email: "direction@vieux-port.example.com",
        tax_number: "FR67521987347",
        address_line1: "42 quai de Rive Neuve",
        postal_code: "13007",
        city: "Marseille",
        country: "FR",
        language: "fr",
        currency: "EUR",
        einvoicing_identifier_scheme: "FR:SIRET",
        einvoicing_identifier_value: "52198734700015"
      },
      contact: { name: "Sandrine Olivieri", phone: "+33 4 99 00 11 22", position: "Gérante", is_primary: true }
    },
    {
      details: {
        name: "Café Zürich",
        email: "buchhaltung@cafe-zuerich.example.com",
        tax_number: "CHE107787577MWST",
        address_line1: "Limmatquai 94",
        postal_code: "8001",
        city: "Zürich",
        state: "ZH",
        country: "CH",
        billing_subdivision_code: "CH-ZH",
        language: "de",
        currency: "EUR"
      },
      contact: { name: "Jürg Zäch", email: "juerg.zaech@cafe-zuerich.example.com", is_primary: true }
    },
    {
      details: {
        name: "東京照明株式会社",
        email: "keiri@tokyo-shomei.example.com",
        tax_number: "T5010401089998",
        address_line1: "銀座4丁目5番6号",
        postal_code: "104-0061",
        city: "東京都中央区",
        country: "JP",
        language: "ja",
        currency: "EUR"
      },
      contact: { name: "佐藤 健", email: "sato@tokyo-shomei.example.com", position: "経理部長", is_primary: true }
    },
    {
      details: {
        name: "סטודיו אור בע״מ",
        email: "office@studio-or.example.com",
        tax_number: "514432673",
        address_line1: "שדרות רוטשילד 22",
        postal_code: "6688218",
        city: "תל אביב",
        country: "IL",
        language: "he",
        currency: "EUR"
      },
      contact: { name: "נועה לוי", phone: "+972 3 555 0142", is_primary: true }
    }
  ],
  invoices: [
    {
      customer: 0,
      issued: -75,
      due: -45,
      status: "paid",
      items: [
        { description: "Étude d'éclairage de la salle principale", quantity: 12, unit: "hour", unit_price: 85 },
        { description: "Rail LED orientable, 2 m", quantity: 8, unit: "piece", unit_price: 146.5 }
      ]
    },
    {
      customer: 1,
      issued: -50,
      due: -20,
      status: "overdue",
      items: [{ description: "Suspension « Méduse », verre soufflé", quantity: 3, unit_price: 640, discount: 5 }]
    },
    {
      customer: 3,
      issued: -20,
      due: 10,
      status: "partially_paid",
      received: "1500",
      notes: "Exonération de TVA, article 262 I du CGI.",
      items: [
        {
          description: "Lampadaire « Aube » / フロアランプ",
          quantity: 4,
          unit_price: 890,
          tax_exempt: true,
          tax_exemption_reason: "G"
        }
      ]
    },
    {
      customer: 2,
      issued: -5,
      due: 25,
      status: "sent",
      notes: "Exonération de TVA, article 262 I du CGI.",
      items: [
        {
          description: "Wandleuchte «Écume», Messing",
          quantity: 6,
          unit_price: 212,
          tax_exempt: true,
          tax_exemption_reason: "G"
        }
      ]
    },
    {
      customer: 4,
      issued: 0,
      due: 30,
      status: "draft",
      items: [
        {
          description: "Plafonnier « Halo » / מנורת תקרה",
          quantity: 2,
          unit_price: 375,
          tax_exempt: true,
          tax_exemption_reason: "G"
        }
      ]
    },
    {
      customer: 0,
      issued: 0,
      due: 30,
      status: "draft",
      items: [{ description: "Maintenance annuelle", quantity: 1, unit: "year", unit_price: 480 }]
    }
  ],
  quotes: [
    {
      customer: 1,
      issued: -4,
      valid_until: 26,
      status: "sent",
      items: [
        { description: "Suspension « Méduse », verre soufflé", quantity: 5, unit_price: 640, discount: 8 },
        { description: "Pose et réglage", quantity: 6, unit: "hour", unit_price: 65 }
      ]
    },
    {
      customer: 0,
      issued: 0,
      valid_until: 30,
      status: "draft",
      items: [{ description: "Éclairage de la réserve, rail LED", quantity: 14, unit: "piece", unit_price: 146.5 }]
    }
  ],
  expenses: [
    {
      spent: -20,
      details: {
        category: "cost_of_goods",
        description: "Verre soufflé, 12 globes",
        vendor: "Verrerie de Biot",
        amount: 1284,
        tax_rates: [{ rate: 20, taxable_amount: 1070, tax_amount: 214 }],
        is_vat_deductible: true,
        payment_method: "bank_transfer",
        reference: "F-20817",
        country: "FR",
        status: "paid"
      }
    },
    {
      spent: -6,
      details: {
        category: "travel",
        description: "Paris – Genève, aller-retour, pose chez Café Zürich",
        vendor: "SNCF",
        amount: 148,
        is_billable: true,
        payment_method: "card",
        country: "FR",
        status: "approved"
      }
    },
    {
      spent: -2,
      details: {
        category: "meals",
        description: "Déjeuner avec la Galerie Beaurepaire",
        vendor: "Le Petit Châtelet",
        amount: 86.9,
        // Food and drink have different tax rates, so the receipt has two.
        tax_rates: [
          { rate: 10, taxable_amount: 57, tax_amount: 5.7 },
          { rate: 20, taxable_amount: 20.17, tax_amount: 4.03 }
        ],
        is_vat_deductible: true,
        payment_method: "card",
        country: "FR"
      }
    }
  ],
  bank: {
    details: { name: "Compte courant", iban: "FR76 3000 6000 0112 3456 7890 189", bic: "AGRIFRPP", currency: "EUR" },
    rule: {
      name: "Frais bancaires",
      direction: "debit",
      conditions: [{ type: "remittance_contains", value: "frais de tenue" }],
      actions: { category: "bank_fees", counterparty_name: "Banque de Paris" }
    },
    lines: [
      { booked: -4, pays: 3 },
      { booked: -3, amount: "-42.50", name: "Atelier Bois Clair", text: "Facture 2231" },
      { booked: -2, amount: "-12.90", name: "Banque de Paris", text: "FRAIS DE TENUE DE COMPTE" },
      { booked: -1, amount: "250.00", name: "Mme Garance Petit", text: "Lampe de chevet" }
    ]
  }
}
