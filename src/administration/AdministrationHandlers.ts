import { Context, Effect, Layer, Option, Record, Redacted, Stream } from "effect"
import { Incidents } from "../archive/integrity/Incidents.ts"
import { AccountAdministration } from "../banking/accounts/AccountAdministration.ts"
import { Portal } from "../billing/portal/Portal.ts"
import { TaxRates } from "../billing/taxes/TaxRates.ts"
import { EinvoicingServices } from "../einvoicing/EinvoicingLayer.ts"
import { RecordedDocuments } from "../einvoicing/recording/RecordedDocuments.ts"
import { FrenchReports } from "../einvoicing/france/reports/FrenchReports.ts"
import { Connections } from "../einvoicing/providers/connections/Connections.ts"
import { ConnectionRefused } from "../einvoicing/providers/ProviderErrors.ts"
import { Approvals } from "../einvoicing/registrations/Approvals.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { PasswordResets } from "../identity/accounts/PasswordResets.ts"
import { Accounts } from "../identity/accounts/Accounts.ts"
import { ApiTokens } from "../identity/tokens/ApiTokens.ts"
import { Users } from "../identity/users/Users.ts"
import { limitOf, offsetOf } from "../kernel/Envelope.ts"
import type { OrganizationId } from "../kernel/Ids.ts"
import { orNotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { actingAs } from "../organizations/AsSystem.ts"
import { Invitations } from "../organizations/invitations/Invitations.ts"
import { Members } from "../organizations/members/Members.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { default_plan } from "../organizations/profile/Organization.ts"
import { AppConfig } from "../platform/config/AppConfig.ts"
import { JobStore } from "../platform/jobs/JobStore.ts"
import { logged } from "./AdministrationLog.ts"
import { AdministrationRpc } from "./AdministrationRpc.ts"
import { SetupLinks } from "./SetupLinks.ts"
import { OrganizationOpener } from "./OrganizationOpener.ts"

/** Procedures of the RPC and of the panel. Each procedure names its caller (`actor`) for the audit chains. */
const make = Effect.gen(function* () {
  const openings = yield* OrganizationOpener
  const users = yield* Users
  const people = yield* Accounts
  const passwordResets = yield* PasswordResets
  const setupLinks = yield* SetupLinks
  const organizations = yield* Organizations
  const members = yield* Members
  const invitations = yield* Invitations
  const taxRates = yield* TaxRates
  const accounts = yield* AccountAdministration
  const tokens = yield* ApiTokens
  const clients = yield* Clients
  const portal = yield* Portal
  const approvals = yield* Approvals
  const connections = yield* Connections
  const recorded = yield* RecordedDocuments
  const reports = yield* FrenchReports
  const incidents = yield* Incidents
  const jobs = yield* JobStore
  const { plans: archived_plans } = (yield* AppConfig).archive
  /** Fails with NotFound if the organization does not exist. */
  const within = <A, E>(organization_id: OrganizationId, done: Effect.Effect<A, E>) =>
    Effect.andThen(organizations.get(organization_id), done)

  const proceduresOf = (actor: string) =>
    AdministrationRpc.of({
      CreateOrganization: Effect.fnUntraced(function* (opening) {
        const opened = yield* openings.open(opening, actor)
        const { email, has_password } = opened.owner
        // A disabled owner gets no link.
        const link = has_password ? Option.none() : yield* Effect.option(passwordResets.issue(email))
        return { ...opened, password_link: Option.getOrNull(link) }
      }),
      ListOrganizations: (request) =>
        Effect.map(organizations.listAll(request), ({ rows: organizations, total }) => ({ organizations, total })),
      ShowOrganization: ({ organization_id }) => organizations.get(organization_id),
      UpdateOrganization: ({ organization_id, ...changes }) =>
        Effect.flatMap(organizations.get(organization_id), (organization) =>
          organizations.update(organization_id, changes, "operator").pipe(
            actingAs(organization, actor),
            // The operator acts with the rights of an owner, who has every permission.
            Effect.catchTag("Forbidden", Effect.die)
          )
        ),
      SetPlan: Effect.fnUntraced(function* ({ organization_id, plan }) {
        const plans = [default_plan, ...archived_plans]
        if (!plans.includes(plan)) {
          return yield* ValidationFailed.of({ plan: [`The plan must be one of: ${plans.join(", ")}.`] })
        }
        return yield* organizations.setPlan(organization_id, plan, actor)
      }),
      ArchiveOrganization: ({ organization_id }) => organizations.archive(organization_id, actor),
      ReopenOrganization: ({ organization_id }) => organizations.reopen(organization_id, actor),
      CreateUser: ({ password, ...draft }) => users.create(draft, password),
      ListUsers: (request) => Effect.map(people.list(request), ({ rows: users, total }) => ({ users, total })),
      DisableUser: ({ email }) => people.disable(email, actor),
      EnableUser: ({ email }) => people.enable(email),
      RemoveSecondFactor: ({ email }) => people.removeSecondFactor(email),
      CreateSetupLink: () => setupLinks.issue,
      CreatePasswordLink: ({ email }) => passwordResets.issue(email),
      SetSuperadmin: ({ email, superadmin }) => users.setSuperadmin(email, superadmin),
      InviteMember: ({ organization_id, ...draft }) =>
        within(organization_id, invitations.inviteTo(organization_id, draft, actor)),
      SetRole: (grant) => members.appoint(grant, actor),
      RemoveMember: (key) => members.dismiss(key, actor),
      CreateTaxRate: ({ organization_id, ...draft }) =>
        within(organization_id, taxRates.create(organization_id, draft, actor)),
      UpdateTaxRate: ({ organization_id, tax_rate_id, ...changes }) =>
        taxRates.update(organization_id, tax_rate_id, changes, actor),
      SetDefaultTaxRates: ({ organization_id, tax_rate_ids }) =>
        within(organization_id, taxRates.setDefaults(organization_id, tax_rate_ids, actor)),
      ListTaxRates: ({ organization_id }) => within(organization_id, taxRates.list(organization_id)),
      CreateBankAccount: ({ organization_id, ...draft }) =>
        within(organization_id, accounts.open(organization_id, draft, actor)),
      ArchiveBankAccount: ({ bank_account_id, organization_id }) =>
        accounts.archive(organization_id, bank_account_id, actor),
      ReopenBankAccount: ({ bank_account_id, organization_id }) =>
        accounts.reopen(organization_id, bank_account_id, actor),
      SetOpeningBalance: ({ bank_account_id, organization_id, ...opening }) =>
        accounts.setOpeningBalance(organization_id, bank_account_id, opening, actor),
      SetProviderBalance: ({ bank_account_id, organization_id, ...balance }) =>
        accounts.setProviderBalance(organization_id, bank_account_id, balance, actor),
      ListBankAccounts: ({ organization_id, ...request }) =>
        within(
          organization_id,
          Effect.map(accounts.list(organization_id, request), ({ rows: accounts, total }) => ({ accounts, total }))
        ),
      IssueOrganizationToken: ({ organization_id, ...draft }) =>
        within(organization_id, tokens.issueOrganization(organization_id, draft, actor)),
      RevokeOrganizationToken: ({ organization_id, token_id }) =>
        tokens.revokeOrganization(organization_id, token_id, actor),
      ListOrganizationTokens: ({ organization_id, ...request }) =>
        within(
          organization_id,
          Effect.map(tokens.listOrganization(organization_id, request), ({ rows: tokens, total }) => ({
            tokens,
            total
          }))
        ),
      IssuePersonalAccessToken: Effect.fnUntraced(function* ({ email, ...draft }) {
        const { id } = yield* orNotFound(users.findByEmail(email))
        return yield* tokens.issuePersonal(id, draft, {})
      }),
      CreateOAuthClient: Effect.fnUntraced(function* (draft) {
        const { client, secret } = yield* clients.create(draft)
        return { client, client_secret: Option.getOrNull(secret) }
      }),
      ListOAuthClients: (request) =>
        Effect.map(clients.list(request), ({ rows: clients, total }) => ({ clients, total })),
      UpdateOAuthClient: ({ client_id, ...changes }) => clients.update(client_id, changes),
      RemoveOAuthClient: ({ client_id }) => clients.remove(client_id),
      RotateClientSecret: Effect.fnUntraced(function* ({ client_id }) {
        return { client_secret: yield* clients.rotateSecret(client_id) }
      }),
      RevokeDocumentLinks: ({ document, document_id, organization_id }) =>
        within(
          organization_id,
          Effect.map(portal.revoke({ organization_id, document, document_id }, actor), (revoked) => ({ revoked }))
        ),
      ListRegistrations: (request) =>
        Effect.map(approvals.list(request), ({ rows: registrations, total }) => ({ registrations, total })),
      ApproveRegistration: ({ organization_id, registration_id: id }) =>
        approvals.approve({ organization_id, id }, actor),
      RejectRegistration: ({ organization_id, reason, registration_id: id }) =>
        approvals.reject({ organization_id, id }, reason, actor),
      SuspendRegistration: ({ organization_id, registration_id: id }) =>
        approvals.suspend({ organization_id, id }, actor),
      DeregisterRegistration: ({ organization_id, registration_id: id }) =>
        approvals.deregister({ organization_id, id }, actor),
      ListAdapters: () => Effect.succeed(connections.adapters),
      ConnectProvider: ({ adapter, organization_id, settings }) =>
        within(
          organization_id,
          connections.connect({ organization_id, adapter, settings: Record.map(settings, Redacted.value) }, actor)
        ),
      DisconnectProvider: (key) => connections.disconnect(key, actor),
      ListConnections: ({ organization_id }) => connections.list(organization_id),
      ListFrenchReports: ({ organization_id }) => within(organization_id, reports.list(organization_id)),
      CancelRecord: ({ einvoice_id: id, organization_id }) =>
        recorded.enqueueCancellation({ organization_id, id }, actor),
      CompareRecords: ({ month, organization_id }) =>
        within(organization_id, recorded.compare(organization_id, month)).pipe(
          Effect.catchTags({
            NetworkRefused: ({ message }) => Effect.fail(new ConnectionRefused({ message })),
            NetworkUnavailable: ({ message }) => Effect.fail(new ConnectionRefused({ message }))
          })
        ),
      CheckRecords: Effect.fnUntraced(function* ({ organization_id, ...period }) {
        const { check } = yield* within(organization_id, recorded.books(organization_id))
        return yield* check(period)
      }),
      ListRecordEvents: Effect.fnUntraced(function* ({ organization_id, ...request }) {
        const { events } = yield* within(organization_id, recorded.books(organization_id))
        return yield* events(request)
      }),
      ExportRecords: ({ organization_id, ...period }) =>
        Stream.unwrap(
          Effect.flatMap(within(organization_id, recorded.books(organization_id)), (books) => books.export(period))
        ),
      ListIntegrityIncidents: (request) =>
        Effect.map(incidents.list(request), ({ rows: incidents, total }) => ({ incidents, total })),
      JobsOverview: () => jobs.overview,
      ListDeadJobs: ({ queue, ...request }) =>
        Effect.map(
          jobs.listDead({ queue: queue ?? null, limit: limitOf(request), offset: offsetOf(request) }),
          ({ rows: jobs, total }) => ({ jobs, total })
        ),
      RetryJob: ({ job_id }) => orNotFound(jobs.retry(job_id)),
      DiscardJob: ({ job_id }) => orNotFound(jobs.discard(job_id))
    })
  return (actor: string) => logged(proceduresOf(actor), actor, users.findByEmail)
})

export class Administration extends Context.Service<Administration, Effect.Success<typeof make>>()(
  "invoicing/administration/AdministrationHandlers/Administration"
) {
  /** Provides the procedures and the services that they use. The panel's pages read records from these services. */
  static readonly layer = Layer.effect(this, make).pipe(
    Layer.provideMerge([
      OrganizationOpener.layer,
      Users.layer,
      Accounts.layer,
      PasswordResets.layer,
      SetupLinks.layer,
      Organizations.layer,
      Members.layer,
      Invitations.layer,
      TaxRates.layer,
      AccountAdministration.layer,
      ApiTokens.layer,
      Clients.layer,
      Portal.layer,
      EinvoicingServices,
      Incidents.layer,
      JobStore.layer
    ])
  )
}

export type Procedures = ReturnType<Administration["Service"]>

export const AdministrationHandlers = AdministrationRpc.toLayer(
  Effect.map(Administration, (proceduresOf) => proceduresOf("admin"))
).pipe(Layer.provide(Administration.layer))
