import type { DemoOrganization } from "./DemoOrganization.ts"

export const brouwerijDeZwaan: DemoOrganization = {
  draft: {
    name: "Brouwerij De Zwaan",
    country: "BE",
    currency: "EUR",
    timezone: "Europe/Brussels",
    language: "nl"
  },
  owner: { name: "Pieter De Smet", email: "pieter.desmet@example.com" },
  members: [],
  profile: {
    address_line1: "Coupure Links 131",
    postal_code: "9000",
    city: "Gent",
    subdivision_code: "BE-VOV",
    contact_name: "Pieter De Smet",
    contact_email: "boekhouding@example.com",
    contact_phone: "+32 9 555 01 23",
    website: "https://brouwerij-de-zwaan.example.com",
    legal_form: "BV",
    registration_number: "0712345630",
    tax_number: "BE0712345630",
    settings: [
      { key: "payment_iban", value: "BE68 5390 0754 7034" },
      { key: "payment_bic", value: "TRIOBEBB" },
      { key: "default_payment_terms_days", value: 14 }
    ]
  },
  customers: [
    {
      details: {
        name: "De Gouden Leeuw BV",
        email: "aankoop@gouden-leeuw.example.com",
        phone: "+32 3 555 04 56",
        tax_number: "BE0654321022",
        address_line1: "Grote Markt 12",
        postal_code: "2000",
        city: "Antwerpen",
        country: "BE",
        billing_subdivision_code: "BE-VAN",
        language: "nl",
        currency: "EUR",
        einvoicing_identifier_scheme: "0208",
        einvoicing_identifier_value: "0654321022"
      },
      contact: {
        name: "Lotte Peeters",
        email: "lotte.peeters@gouden-leeuw.example.com",
        position: "Aankoop",
        is_primary: true
      }
    },
    {
      details: {
        name: "Taverne du Sablon SRL",
        email: "comptabilite@sablon.example.com",
        tax_number: "BE0456789133",
        address_line1: "Place du Grand Sablon 5",
        postal_code: "1000",
        city: "Bruxelles",
        country: "BE",
        billing_subdivision_code: "BE-BRU",
        language: "fr",
        currency: "EUR",
        einvoicing_identifier_scheme: "0208",
        einvoicing_identifier_value: "0456789133"
      },
      contact: { name: "Benoît Charlier", phone: "+32 2 555 07 89", position: "Gérant", is_primary: true }
    },
    {
      details: {
        name: "Café Zürich",
        email: "einkauf@cafe-zuerich.example.org",
        tax_number: "CHE107787577MWST",
        address_line1: "Bahnhofplatz 3",
        postal_code: "8001",
        city: "Zürich",
        state: "ZH",
        country: "CH",
        billing_subdivision_code: "CH-ZH",
        language: "de",
        currency: "EUR"
      },
      contact: { name: "Ursula Müller", email: "ursula.mueller@cafe-zuerich.example.org", is_primary: true }
    },
    {
      details: {
        name: "東京ビール輸入株式会社",
        email: "keiri@tokyo-beer.example.com",
        tax_number: "T2120001077461",
        address_line1: "日本橋室町2丁目1番1号",
        postal_code: "103-0022",
        city: "東京都中央区",
        country: "JP",
        language: "ja",
        currency: "EUR"
      },
      contact: { name: "田中 美咲", email: "tanaka@tokyo-beer.example.com", position: "輸入担当", is_primary: true }
    },
    {
      details: {
        name: "מבשלת הכרמל בע״מ",
        email: "office@carmel-brewery.example.com",
        tax_number: "513880120",
        address_line1: "שדרות הנשיא 108",
        postal_code: "3463500",
        city: "חיפה",
        country: "IL",
        language: "he",
        currency: "EUR"
      },
      contact: { name: "דוד כהן", phone: "+972 4 555 0187", is_primary: true }
    }
  ],
  invoices: [
    {
      customer: 0,
      issued: -60,
      due: -46,
      status: "paid",
      items: [
        { description: "Zwaan Tripel, vat 30 l", quantity: 6, unit: "piece", unit_price: 98.4 },
        { description: "Zwaan Blond, bak 24 x 33 cl", quantity: 20, unit: "package", unit_price: 27.9, discount: 10 }
      ]
    },
    {
      customer: 1,
      issued: -40,
      due: -26,
      status: "overdue",
      items: [{ description: "Zwaan Blonde, fût de 30 l", quantity: 10, unit_price: 89.5 }]
    },
    {
      customer: 0,
      issued: -10,
      due: 4,
      status: "partially_paid",
      received: "250",
      items: [{ description: "Zwaan Dubbel, bak 24 x 33 cl", quantity: 18, unit: "package", unit_price: 31.2 }]
    },
    {
      customer: 3,
      issued: -3,
      due: 27,
      status: "sent",
      notes: "Vrijgesteld van btw, artikel 39 §1 WBTW (uitvoer).",
      items: [
        {
          description: "Zwaan Tripel / トリペル, 33 cl",
          quantity: 960,
          unit_price: 1.35,
          tax_exempt: true,
          tax_exemption_reason: "G"
        }
      ]
    },
    {
      customer: 2,
      issued: 0,
      due: 14,
      status: "draft",
      notes: "Vrijgesteld van btw, artikel 39 §1 WBTW (uitvoer).",
      items: [
        {
          description: "Zwaan Blond, Kiste 24 x 33 cl",
          quantity: 12,
          unit: "package",
          unit_price: 29.5,
          tax_exempt: true,
          tax_exemption_reason: "G"
        }
      ]
    }
  ],
  quotes: [
    {
      customer: 0,
      issued: -4,
      valid_until: 26,
      status: "sent",
      items: [
        { description: "Zwaan Tripel, vat 30 l", quantity: 24, unit: "piece", unit_price: 98.4, discount: 5 },
        { description: "Tapinstallatie, huur", quantity: 3, unit: "day", unit_price: 75 }
      ]
    },
    {
      customer: 1,
      issued: 0,
      valid_until: 30,
      status: "draft",
      items: [{ description: "Zwaan Blonde, fût de 30 l", quantity: 40, unit_price: 86 }]
    }
  ],
  expenses: [
    {
      spent: -25,
      details: {
        category: "cost_of_goods",
        description: "Pilsmout, 2 pallets",
        vendor: "Mouterij Dingemans",
        amount: 2178,
        tax_rates: [{ rate: 21, taxable_amount: 1800, tax_amount: 378 }],
        is_vat_deductible: true,
        payment_method: "bank_transfer",
        reference: "2026/118",
        country: "BE",
        status: "paid"
      }
    },
    {
      spent: -3,
      details: {
        category: "vehicle",
        description: "Diesel bestelwagen",
        vendor: "Tankstation Gent-Zuid",
        amount: 96.8,
        tax_rates: [{ rate: 21, taxable_amount: 80, tax_amount: 16.8 }],
        is_vat_deductible: true,
        // In Belgium, tax on a car that is also used privately is partly deductible.
        vat_deductible_percentage: 50,
        payment_method: "card",
        country: "BE"
      }
    },
    {
      spent: -1,
      details: {
        category: "shipping",
        description: "Koerier, 40 vaten",
        vendor: "Express Müller",
        amount: 240,
        is_billable: true,
        status: "approved"
      }
    }
  ],
  bank: {
    details: { name: "Zichtrekening", iban: "BE68 5390 0754 7034", bic: "TRIOBEBB", currency: "EUR" },
    rule: {
      name: "Bankkosten",
      direction: "debit",
      conditions: [{ type: "remittance_contains", value: "kosten rekening" }],
      actions: { category: "bank_fees", counterparty_name: "Triodos Bank" }
    },
    lines: [
      { booked: -2, pays: 3 },
      { booked: -2, amount: "-68.00", name: "Waterlink", text: "Waterverbruik" },
      { booked: -1, amount: "-9.50", name: "Triodos Bank", text: "Kosten rekening" }
    ]
  }
}
