import type { ClientDraft } from "../identity/clients/Client.ts"
import { atelierLumiere } from "./AtelierLumiere.ts"
import { brouwerijDeZwaan } from "./BrouwerijDeZwaan.ts"
import type { DemoOrganization } from "./DemoOrganization.ts"

export const demoOrganizations: ReadonlyArray<DemoOrganization> = [brouwerijDeZwaan, atelierLumiere]

/** The administrator of the demo, who belongs to no organization. */
export const demoSuperadmin = { name: "Sascha Admin", email: "admin@example.com" }

export const demoClients: ReadonlyArray<ClientDraft> = [
  {
    name: "Invoicing for phones",
    first_party: true,
    confidential: false,
    redirect_uris: [
      "invoicing://oauth2redirect",
      "http://127.0.0.1/callback",
      "https://app.example.com/mobile/oauth2/callback"
    ]
  },
  {
    name: "Marktplaats Connect",
    first_party: false,
    confidential: false,
    redirect_uris: ["https://connect.example.org/oauth/callback", "http://127.0.0.1/callback"]
  },
  {
    name: "Compta Nord",
    first_party: false,
    confidential: true,
    password_grant: false,
    redirect_uris: ["https://compta.example.org/oauth/callback"]
  }
]
