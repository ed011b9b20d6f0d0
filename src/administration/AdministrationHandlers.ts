import { Effect, Layer, Option } from "effect"
import { Incidents } from "../archive/integrity/Incidents.ts"
import { AccountAdministration } from "../banking/accounts/AccountAdministration.ts"
import { Portal } from "../billing/portal/Portal.ts"
import { TaxRates } from "../billing/taxes/TaxRates.ts"
import { EinvoicingServices } from "../einvoicing/EinvoicingLayer.ts"
import { Approvals } from "../einvoicing/registrations/Approvals.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { PasswordResets } from "../identity/passwords/PasswordResets.ts"
import { ApiTokens } from "../identity/tokens/ApiTokens.ts"
import { Users } from "../identity/Users.ts"
import { limitOf, offsetOf } from "../kernel/Envelope.ts"
import type { OrganizationId } from "../kernel/Ids.ts"
import { orNotFound } from "../kernel/Refusal.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { JobStore } from "../platform/jobs/JobStore.ts"
import { AdministrationRpc } from "./AdministrationRpc.ts"
import { OrganizationOpener } from "./OrganizationOpener.ts"

/** Actor in the audit chains of organizations. */
const actor = "admin"

export const AdministrationHandlers = AdministrationRpc.toLayer(
  Effect.gen(function* () {
    const openings = yield* OrganizationOpener
    const users = yield* Users
    const passwordResets = yield* PasswordResets
    const organizations = yield* Organizations
    const taxRates = yield* TaxRates
    const accounts = yield* AccountAdministration
    const tokens = yield* ApiTokens
    const clients = yield* Clients
    const portal = yield* Portal
    const approvals = yield* Approvals
    const incidents = yield* Incidents
    const jobs = yield* JobStore
    /** Fails with NotFound if the organization does not exist. */
    const within = <A, E>(organization_id: OrganizationId, done: Effect.Effect<A, E>) =>
      Effect.andThen(organizations.get(organization_id), done)

    return AdministrationRpc.of({
      CreateOrganization: (opening) => openings.open(opening, actor),
      ListOrganizations: Effect.fnUntraced(function* (request) {
        const { rows, total } = yield* organizations.listAll(request)
        return { organizations: rows, total }
      }),
      SetPlan: ({ organization_id, plan }) => organizations.setPlan(organization_id, plan, actor),
      ArchiveOrganization: ({ organization_id }) => organizations.archive(organization_id, actor),
      CreateUser: ({ password, ...draft }) => users.create(draft, password),
      CreatePasswordLink: ({ email }) => passwordResets.issue(email),
      SetSuperadmin: ({ email, superadmin }) => users.setSuperadmin(email, superadmin),
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
      SetOpeningBalance: ({ bank_account_id, organization_id, ...opening }) =>
        accounts.setOpeningBalance(organization_id, bank_account_id, opening, actor),
      SetProviderBalance: ({ bank_account_id, organization_id, ...balance }) =>
        accounts.setProviderBalance(organization_id, bank_account_id, balance, actor),
      ListBankAccounts: Effect.fnUntraced(function* ({ organization_id, ...request }) {
        const { rows, total } = yield* within(organization_id, accounts.list(organization_id, request))
        return { accounts: rows, total }
      }),
      IssueOrganizationToken: ({ organization_id, ...draft }) =>
        within(organization_id, tokens.issueOrganization(organization_id, draft, actor)),
      RevokeOrganizationToken: ({ organization_id, token_id }) =>
        tokens.revokeOrganization(organization_id, token_id, actor),
      ListOrganizationTokens: Effect.fnUntraced(function* ({ organization_id, ...request }) {
        const { rows, total } = yield* within(organization_id, tokens.listOrganization(organization_id, request))
        return { tokens: rows, total }
      }),
      IssuePersonalAccessToken: Effect.fnUntraced(function* ({ email, ...draft }) {
        const { id } = yield* orNotFound(users.findByEmail(email))
        return yield* tokens.issuePersonal(id, draft)
      }),
      CreateOAuthClient: Effect.fnUntraced(function* (draft) {
        const { client, secret } = yield* clients.create(draft)
        return { client, client_secret: Option.getOrNull(secret) }
      }),
      RotateClientSecret: Effect.fnUntraced(function* ({ client_id }) {
        return { client_secret: yield* clients.rotateSecret(client_id) }
      }),
      RevokeDocumentLinks: ({ document, document_id, organization_id }) =>
        within(
          organization_id,
          Effect.map(portal.revoke({ organization_id, document, document_id }, actor), (revoked) => ({ revoked }))
        ),
      ListRegistrations: Effect.fnUntraced(function* (request) {
        const { rows, total } = yield* approvals.list(request)
        return { registrations: rows, total }
      }),
      ApproveRegistration: ({ organization_id, registration_id: id }) =>
        approvals.approve({ organization_id, id }, actor),
      RejectRegistration: ({ organization_id, reason, registration_id: id }) =>
        approvals.reject({ organization_id, id }, reason, actor),
      SuspendRegistration: ({ organization_id, registration_id: id }) =>
        approvals.suspend({ organization_id, id }, actor),
      DeregisterRegistration: ({ organization_id, registration_id: id }) =>
        approvals.deregister({ organization_id, id }, actor),
      ListIntegrityIncidents: Effect.fnUntraced(function* (request) {
        const { rows, total } = yield* incidents.list(request)
        return { incidents: rows, total }
      }),
      JobsOverview: () => jobs.overview,
      ListDeadJobs: Effect.fnUntraced(function* ({ queue, ...request }) {
        const { rows, total } = yield* jobs.listDead({
          queue: queue ?? null,
          limit: limitOf(request),
          offset: offsetOf(request)
        })
        return { jobs: rows, total }
      }),
      RetryJob: ({ job_id }) => orNotFound(jobs.retry(job_id)),
      DiscardJob: ({ job_id }) => orNotFound(jobs.discard(job_id))
    })
  })
).pipe(
  Layer.provide([
    OrganizationOpener.layer,
    Users.layer,
    PasswordResets.layer,
    Organizations.layer,
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
