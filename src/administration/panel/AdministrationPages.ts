import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Browser } from "../../identity/session/Browser.ts"
import { Logos } from "../../organizations/logo/Logos.ts"
import { StoredMail } from "../../platform/mail/StoredMail.ts"
import { ClientsRoutes } from "./installation/OAuthClientsPages.ts"
import { IncidentsRoutes } from "./installation/IncidentsPages.ts"
import { JobsRoutes } from "./installation/JobsPages.ts"
import { MailRoutes } from "./installation/MailPages.ts"
import { BankAccountsRoutes } from "./organizations/BankAccountsPages.ts"
import { UsersRoutes } from "./installation/PeoplePages.ts"
import { ConnectionsRoutes } from "./organizations/ConnectionsPages.ts"
import { FrenchReportsRoutes } from "./organizations/FrenchReportsPages.ts"
import { ProfileRoutes } from "./organizations/ProfilePages.ts"
import { RegistrationsRoutes } from "./installation/RegistrationsPages.ts"
import { MembersRoutes } from "./organizations/MembersPages.ts"
import { ReceiptsRoutes } from "./organizations/ReceiptsPages.ts"
import { ReceiptReviews } from "../../expenses/receipts/review/ReceiptReviews.ts"
import { OrganizationsRoutes } from "./organizations/OrganizationsPages.ts"
import { TaxRatesRoutes } from "./organizations/TaxRatesPages.ts"
import { TokensRoutes } from "./organizations/TokensPages.ts"
import { Administration } from "../AdministrationHandlers.ts"
import { SetupRoutes } from "../setup/SetupHttp.ts"
import { start } from "./Panel.ts"

const Services = Layer.mergeAll(
  Browser.layer,
  Administration.layer,
  Logos.layer,
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
