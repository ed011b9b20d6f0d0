import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Incidents } from "../../archive/integrity/Incidents.ts"
import { AccountAdministration } from "../../banking/accounts/AccountAdministration.ts"
import { TaxRates } from "../../billing/taxes/TaxRates.ts"
import { EinvoicingServices } from "../../einvoicing/EinvoicingLayer.ts"
import { Clients } from "../../identity/clients/Clients.ts"
import { Browser } from "../../identity/session/Browser.ts"
import { ApiTokens } from "../../identity/tokens/ApiTokens.ts"
import { Accounts } from "../../identity/accounts/Accounts.ts"
import { Users } from "../../identity/users/Users.ts"
import { Invitations } from "../../organizations/invitations/Invitations.ts"
import { Members } from "../../organizations/members/Members.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { JobStore } from "../../platform/jobs/JobStore.ts"
import { StoredMail } from "../../platform/mail/StoredMail.ts"
import { ClientsRoutes } from "./installation/OAuthClients.ts"
import { IncidentsRoutes } from "./installation/IncidentsHttp.ts"
import { JobsRoutes } from "./installation/Jobs.ts"
import { MailRoutes } from "./installation/MailHttp.ts"
import { BankAccountsRoutes } from "./organizations/BankAccounts.ts"
import { UsersRoutes } from "./installation/People.ts"
import { ProfileRoutes } from "./organizations/Profile.ts"
import { RegistrationsRoutes } from "./installation/Registrations.ts"
import { MembersRoutes } from "./organizations/MembersHttp.ts"
import { OrganizationsRoutes } from "./organizations/Organizations.ts"
import { TaxRatesRoutes } from "./organizations/TaxRates.ts"
import { TokensRoutes } from "./organizations/Tokens.ts"
import { Administration } from "../AdministrationHandlers.ts"
import { SetupRoutes } from "../setup/SetupHttp.ts"
import { SetupLinks } from "../SetupLinks.ts"
import { start } from "./Panel.ts"

const Services = Layer.mergeAll(
  Browser.layer,
  Administration.layer,
  SetupLinks.layer,
  Users.layer,
  Accounts.layer,
  Organizations.layer,
  Members.layer,
  Invitations.layer,
  ApiTokens.layer,
  TaxRates.layer,
  AccountAdministration.layer,
  Clients.layer,
  Incidents.layer,
  EinvoicingServices,
  JobStore.layer,
  StoredMail.layer
)

/** `/admin` offers the procedures of the RPC to superadmins in a browser; contract section 18. */
export const AdministrationPages = Layer.mergeAll(
  start,
  SetupRoutes,
  OrganizationsRoutes,
  ProfileRoutes,
  UsersRoutes,
  MembersRoutes,
  TokensRoutes,
  TaxRatesRoutes,
  BankAccountsRoutes,
  ClientsRoutes,
  IncidentsRoutes,
  RegistrationsRoutes,
  JobsRoutes,
  MailRoutes
).pipe(HttpRouter.provideRequest(Services))
