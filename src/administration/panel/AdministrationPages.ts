import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Browser } from "../../identity/session/Browser.ts"
import { Invitations } from "../../organizations/invitations/Invitations.ts"
import { Members } from "../../organizations/members/Members.ts"
import { Logos } from "../../organizations/logo/Logos.ts"
import { StoredMail } from "../../platform/mail/StoredMail.ts"
import { ClientsRoutes } from "./installation/OAuthClients.ts"
import { IncidentsRoutes } from "./installation/Incidents.ts"
import { JobsRoutes } from "./installation/Jobs.ts"
import { MailRoutes } from "./installation/Mail.ts"
import { BankAccountsRoutes } from "./organizations/BankAccounts.ts"
import { UsersRoutes } from "./installation/People.ts"
import { ConnectionsRoutes } from "./organizations/Connections.ts"
import { FrenchReportsRoutes } from "./organizations/FrenchReports.ts"
import { ProfileRoutes } from "./organizations/Profile.ts"
import { RegistrationsRoutes } from "./installation/Registrations.ts"
import { MembersRoutes } from "./organizations/Members.ts"
import { ReceiptsRoutes } from "./organizations/Receipts.ts"
import { ReceiptReviews } from "../../expenses/receipts/review/ReceiptReviews.ts"
import { OrganizationsRoutes } from "./organizations/Organizations.ts"
import { TaxRatesRoutes } from "./organizations/TaxRates.ts"
import { TokensRoutes } from "./organizations/Tokens.ts"
import { Administration } from "../AdministrationHandlers.ts"
import { SetupRoutes } from "../setup/SetupHttp.ts"
import { start } from "./Panel.ts"

const Services = Layer.mergeAll(
  Browser.layer,
  Administration.layer,
  Logos.layer,
  Members.layer,
  Invitations.layer,
  ReceiptReviews.layer,
  StoredMail.layer
)

/** `/admin` offers the procedures of the RPC to superadmins in a browser (rules/authentication.md, People). */
export const AdministrationPages = Layer.mergeAll(
  start,
  SetupRoutes,
  OrganizationsRoutes,
  ProfileRoutes,
  ConnectionsRoutes,
  FrenchReportsRoutes,
  UsersRoutes,
  MembersRoutes,
  TokensRoutes,
  TaxRatesRoutes,
  BankAccountsRoutes,
  ReceiptsRoutes,
  ClientsRoutes,
  IncidentsRoutes,
  RegistrationsRoutes,
  JobsRoutes,
  MailRoutes
).pipe(HttpRouter.provideRequest(Services))
