import { Schema } from "effect"
import type { Member } from "../../../organizations/members/Member.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { SettingList } from "../../../organizations/profile/Settings.ts"
import { OrganizationSettings } from "../../../kernel/OrganizationSettings.ts"
import type { Webhook } from "../../subscriptions/Webhook.ts"
import { type Wire, written } from "./EventExamples.ts"

export const organization = {
  id: 7,
  name: "Acme",
  country: "BE",
  currency: "EUR",
  timezone: "Europe/Brussels",
  language: "nl",
  subdivision_code: "BE-VLG",
  settings: Schema.encodeSync(SettingList)(Schema.decodeSync(OrganizationSettings)({ payment_bic: "KREDBEBB" })),
  address_line1: "Market Square 1",
  address_line2: null,
  city: "Ghent",
  postal_code: "9000",
  state: null,
  contact_name: "Accounts",
  contact_email: "accounts@acme.example",
  contact_phone: null,
  logo: null,
  tax_number: "BE0202239951",
  registration_number: "0202239951",
  legal_form: "BV",
  register_court: null,
  share_capital: null,
  managing_directors: null,
  national_tax_number: null,
  late_payment_penalty: null,
  early_payment_discount: null,
  website: "https://acme.example",
  plan: "standard",
  archived_at: null,
  ...written,
  version: 4
} satisfies Wire<typeof Organization>

export const member = {
  id: 3,
  name: "Ann",
  email: "ann@acme.example",
  role: "accountant",
  status: "active",
  joined_at: written.created_at,
  created_at: written.created_at
} satisfies Wire<typeof Member>

export const webhook = {
  id: 2,
  url: "https://shop.example/hooks",
  description: null,
  events: ["invoice.paid"],
  is_active: true,
  disabled_reason: null,
  secret_hint: "...LaSw",
  created_by: { user_id: 3, name: "Ann" },
  client: null,
  ...written,
  version: 2
} satisfies Wire<typeof Webhook>
