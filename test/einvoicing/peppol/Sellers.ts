import { enterpriseNumber } from "../../support/counterparts/Network.ts"

/** The routing and delivery details that the rules of some countries require on each invoice. */
export const details = { buyer_reference: "04011000-1234512345-06", delivery_date: "2026-03-01" }

/** An organization and a customer for each country, with the data that the rules of the country require. */
export const sellers = [
  {
    country: "BE",
    organization: { address_line1: "Kerkstraat 1", city: "Gent", postal_code: "9000" },
    customer: { country: "BE", tax_number: "BE0123456749" },
    registration: { identifier_value: enterpriseNumber() },
    recipient: { recipient_identifier_scheme: "0088", recipient_identifier_value: "9520000000011" }
  },
  {
    country: "DE",
    organization: {
      tax_number: "DE136695976",
      address_line1: "Hauptstraße 1",
      city: "Berlin",
      postal_code: "10115",
      contact_email: "rechnung@acme.example",
      contact_phone: "+49 30 123456",
      settings: [{ key: "payment_iban", value: "DE89370400440532013000" }]
    },
    customer: {
      country: "DE",
      tax_number: "DE123456788",
      address_line1: "Marktplatz 2",
      city: "München",
      postal_code: "80331"
    },
    registration: {
      country_code: "DE",
      identifier_scheme: "9930",
      identifier_value: "DE136695976",
      city: "Berlin",
      postal_code: "10115"
    },
    recipient: {
      recipient_identifier_scheme: "9930",
      recipient_identifier_value: "DE123456788",
      recipient_country_code: "DE"
    }
  },
  {
    country: "NL",
    organization: {
      tax_number: "NL004495445B01",
      registration_number: "12345678",
      address_line1: "Damrak 1",
      city: "Amsterdam",
      postal_code: "1012 LG",
      settings: [{ key: "payment_iban", value: "NL91ABNA0417164300" }]
    },
    customer: {
      country: "NL",
      tax_number: "NL123456782B90",
      registration_number: "87654321",
      address_line1: "Coolsingel 2",
      city: "Rotterdam",
      postal_code: "3011 AD"
    },
    registration: {
      country_code: "NL",
      identifier_scheme: "0106",
      identifier_value: "12345678",
      city: "Amsterdam",
      postal_code: "1012 LG"
    },
    recipient: {
      recipient_identifier_scheme: "0106",
      recipient_identifier_value: "87654321",
      recipient_country_code: "NL"
    }
  }
]
