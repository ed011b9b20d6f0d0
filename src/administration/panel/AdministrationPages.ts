import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Incidents } from "../../archive/integrity/Incidents.ts"
import { AccountKeeping } from "../../banking/accounts/AccountKeeping.ts"
import { TaxRates } from "../../billing/taxes/TaxRates.ts"
import { EinvoicingServices } from "../../einvoicing/EinvoicingLayer.ts"
import { Clients } from "../../identity/clients/Clients.ts"
import { Browser } from "../../identity/session/Browser.ts"
import { ApiTokens } from "../../identity/tokens/ApiTokens.ts"
import { Users } from "../../identity/Users.ts"
import { Invitations } from "../../organizations/invitations/Invitations.ts"
import { Members } from "../../organizations/members/Members.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { JobStore } from "../../platform/jobs/JobStore.ts"
import { KeptMail } from "../../platform/mail/KeptMail.ts"
import { Openings } from "../Openings.ts"
import { ClientsRoutes } from "./installation/ClientsHttp.ts"
import { IncidentsRoutes } from "./installation/IncidentsHttp.ts"
import { JobsRoutes } from "./installation/JobsHttp.ts"
import { MailRoutes } from "./installation/MailHttp.ts"
import { BankAccountsRoutes } from "./organizations/BankAccountsHttp.ts"
import { RegistrationsRoutes } from "./installation/RegistrationsHttp.ts"
import { MembersRoutes } from "./organizations/MembersHttp.ts"
import { OrganizationsRoutes } from "./organizations/OrganizationsHttp.ts"
import { TaxRatesRoutes } from "./organizations/TaxRatesHttp.ts"
import { TokensRoutes } from "./organizations/TokensHttp.ts"
import { start } from "./Panel.ts"

const Services = Layer.mergeAll(
  Browser.layer,
  Users.layer,
  Openings.layer,
  Organizations.layer,
  Members.layer,
  Invitations.layer,
  ApiTokens.layer,
  TaxRates.layer,
  AccountKeeping.layer,
  Clients.layer,
  Incidents.layer,
  EinvoicingServices,
  JobStore.layer,
  KeptMail.layer
)

/** `/admin` offers the procedures of the RPC to superadmins in a browser; contract section 18. */
export const AdministrationPages = Layer.mergeAll(
  start,
  OrganizationsRoutes,
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
