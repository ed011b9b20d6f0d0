import { Schema } from "effect"
import { Rpc, RpcGroup, RpcMiddleware } from "effect/rpc"
import { Incident } from "../archive/integrity/Incident.ts"
import { IbanTaken } from "../banking/accounts/AccountErrors.ts"
import { BankAccount, BankAccountDraft, OpeningBalance, ProviderBalance } from "../banking/accounts/BankAccount.ts"
import { tax_rates_max } from "../billing/lines/LineItem.ts"
import { TaxRate, TaxRateChanges, TaxRateDraft } from "../billing/taxes/TaxRate.ts"
import { TooManyTaxRates } from "../billing/taxes/TaxRateErrors.ts"
import { ProviderNotConfigured } from "../einvoicing/providers/ProviderErrors.ts"
import { RegistrationStatus, StoredRegistration } from "../einvoicing/records/Registration.ts"
import {
  NetworkFailed,
  RegistrationRefused,
  RegistrationUndecidable
} from "../einvoicing/registrations/RegistrationErrors.ts"
import { ApiToken, OrganizationTokenDraft } from "../identity/tokens/ApiToken.ts"
import { User } from "../identity/users/User.ts"
import { PasswordLink } from "../identity/accounts/PasswordLink.ts"
import { EmailTaken, PasswordUnacceptable } from "../identity/users/UserErrors.ts"
import { DocumentKind } from "../kernel/DocumentKind.ts"
import { BankAccountId, OrganizationId, RegistrationId, TaxRateId, TokenId } from "../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { Line, Name } from "../kernel/Text.ts"
import { Organization, OrganizationChanges } from "../organizations/profile/Organization.ts"
import { CurrencyLocked, LogoUnavailable } from "../organizations/profile/OrganizationErrors.ts"
import { PasswordsBusy } from "../platform/crypto/Passwords.ts"
import { OrganizationArchived } from "../platform/http/Refusals.ts"
import { DeadJob, QueueFigures } from "../platform/jobs/JobStore.ts"
import { AdminDenied, AdminFailed } from "./AdministrationErrors.ts"
import { EinvoicingRpc } from "./EinvoicingRpc.ts"
import { Opening } from "./Opening.ts"
import { page, PeopleRpc, Secret } from "./PeopleRpc.ts"

/** Requires the admin token, and answers a bug or an outage with AdminFailed. */
export class AdminGate extends RpcMiddleware.Service<AdminGate>()("invoicing/administration/AdminGate", {
  error: Schema.Union([AdminDenied, AdminFailed])
}) {}

const ofOrganization = { organization_id: OrganizationId }

const oneOrganization = { payload: ofOrganization, success: Organization, error: NotFound }

/** Creates an organization with the usual tax rates of its country. An owner who is not a user yet becomes one. */
const CreateOrganization = Rpc.make("CreateOrganization", {
  payload: Opening,
  success: Schema.Struct({
    organization: Organization,
    owner: User,
    tax_rates: Schema.Array(TaxRate),
    /** Null for an owner who has a password already, and for one who is disabled. */
    password_link: Schema.NullOr(PasswordLink)
  }),
  error: Schema.Union([EmailTaken, PasswordUnacceptable, PasswordsBusy, ValidationFailed])
})

const ListOrganizations = Rpc.make("ListOrganizations", {
  payload: {
    search: Schema.optionalKey(Line),
    ...page
  },
  success: Schema.Struct({ organizations: Schema.Array(Organization), total: Schema.Int })
})

const ShowOrganization = Rpc.make("ShowOrganization", oneOrganization)

const UpdateOrganization = Rpc.make("UpdateOrganization", {
  payload: { ...ofOrganization, ...OrganizationChanges.fields },
  success: Organization,
  error: Schema.Union([
    NotFound,
    CurrencyLocked,
    LogoUnavailable,
    ValidationFailed,
    PreconditionFailed,
    OrganizationArchived
  ])
})

const SetPlan = Rpc.make("SetPlan", {
  payload: { ...ofOrganization, plan: Name },
  success: Organization,
  error: Schema.Union([NotFound, ValidationFailed])
})

/** The data of an archived organization can be read but not changed. */
const ArchiveOrganization = Rpc.make("ArchiveOrganization", oneOrganization)

/** Undoes the archiving of an organization. */
const ReopenOrganization = Rpc.make("ReopenOrganization", oneOrganization)

const CreateTaxRate = Rpc.make("CreateTaxRate", {
  payload: { ...ofOrganization, ...TaxRateDraft.fields },
  success: TaxRate,
  error: Schema.Union([NotFound, TooManyTaxRates, ValidationFailed])
})

const UpdateTaxRate = Rpc.make("UpdateTaxRate", {
  payload: { ...ofOrganization, tax_rate_id: TaxRateId, ...TaxRateChanges.fields },
  success: TaxRate,
  error: Schema.Union([NotFound, ValidationFailed])
})

/** Sets the tax rates that apply to document lines without a rate of their own. */
const SetDefaultTaxRates = Rpc.make("SetDefaultTaxRates", {
  payload: {
    ...ofOrganization,
    tax_rate_ids: Schema.Array(TaxRateId).check(Schema.isMaxLength(tax_rates_max), Schema.isUnique())
  },
  success: Schema.Array(TaxRate),
  error: NotFound
})

const ListTaxRates = Rpc.make("ListTaxRates", {
  payload: ofOrganization,
  success: Schema.Array(TaxRate),
  error: NotFound
})

/** Creates a bank account, which the API can only read (rules/banking.md, Accounts). */
const CreateBankAccount = Rpc.make("CreateBankAccount", {
  payload: { ...ofOrganization, ...BankAccountDraft.fields },
  success: BankAccount,
  error: Schema.Union([NotFound, IbanTaken, ValidationFailed])
})

/** An archived bank account accepts no statements. */
const ArchiveBankAccount = Rpc.make("ArchiveBankAccount", {
  payload: { ...ofOrganization, bank_account_id: BankAccountId },
  success: BankAccount,
  error: NotFound
})

/** Undoes the archiving of a bank account. */
const ReopenBankAccount = Rpc.make("ReopenBankAccount", {
  payload: { ...ofOrganization, bank_account_id: BankAccountId },
  success: BankAccount,
  error: Schema.Union([NotFound, IbanTaken])
})

/** The balance at the beginning of a day, to which the reconciliation report adds the later bank lines. */
const SetOpeningBalance = Rpc.make("SetOpeningBalance", {
  payload: { ...ofOrganization, bank_account_id: BankAccountId, ...OpeningBalance.fields },
  success: BankAccount,
  error: NotFound
})

/** The balance that the bank reports, which the reconciliation report compares with that of the bank lines. */
const SetProviderBalance = Rpc.make("SetProviderBalance", {
  payload: { ...ofOrganization, bank_account_id: BankAccountId, ...ProviderBalance.fields },
  success: BankAccount,
  error: NotFound
})

const ListBankAccounts = Rpc.make("ListBankAccounts", {
  payload: { ...ofOrganization, ...page },
  success: Schema.Struct({ accounts: Schema.Array(BankAccount), total: Schema.Int }),
  error: NotFound
})

const IssueOrganizationToken = Rpc.make("IssueOrganizationToken", {
  payload: { ...ofOrganization, ...OrganizationTokenDraft.fields },
  success: Schema.Struct({ token: ApiToken, secret: Secret }),
  error: NotFound
})

const RevokeOrganizationToken = Rpc.make("RevokeOrganizationToken", {
  payload: { ...ofOrganization, token_id: TokenId },
  success: ApiToken,
  error: NotFound
})

/** Lists the organization's valid API tokens, the newest first. */
const ListOrganizationTokens = Rpc.make("ListOrganizationTokens", {
  payload: { ...ofOrganization, ...page },
  success: Schema.Struct({ tokens: Schema.Array(ApiToken), total: Schema.Int }),
  error: NotFound
})

/** Disables the links to a document in messages already sent. Sending the document again makes new links. */
const RevokeDocumentLinks = Rpc.make("RevokeDocumentLinks", {
  payload: { ...ofOrganization, document: DocumentKind, document_id: Schema.Int },
  success: Schema.Struct({ revoked: Schema.Int }),
  error: NotFound
})

const ofRegistration = { ...ofOrganization, registration_id: RegistrationId }

const onNetwork = {
  payload: ofRegistration,
  success: StoredRegistration,
  error: Schema.Union([NotFound, RegistrationUndecidable, RegistrationRefused, ProviderNotConfigured, NetworkFailed])
}

/** Lists e-invoicing registrations of all organizations, the latest first. */
const ListRegistrations = Rpc.make("ListRegistrations", {
  payload: { status: Schema.optionalKey(RegistrationStatus), ...page },
  success: Schema.Struct({ registrations: Schema.Array(StoredRegistration), total: Schema.Int })
})

/** Enrolls a pending or suspended registration on its network. If the network refuses, the status stays unchanged. */
const ApproveRegistration = Rpc.make("ApproveRegistration", onNetwork)

const RejectRegistration = Rpc.make("RejectRegistration", {
  payload: { ...ofRegistration, reason: Name },
  success: StoredRegistration,
  error: Schema.Union([NotFound, RegistrationUndecidable, NetworkFailed])
})

/** Removes an organization from its network until the registration is approved again. */
const SuspendRegistration = Rpc.make("SuspendRegistration", onNetwork)

/** Ends a registration and removes the organization from its network. The organization may register again. */
const DeregisterRegistration = Rpc.make("DeregisterRegistration", onNetwork)

/** Lists incidents, the latest first. An incident is a difference between an archive and what was recorded about it. */
const ListIntegrityIncidents = Rpc.make("ListIntegrityIncidents", {
  payload: {
    organization_id: Schema.optionalKey(OrganizationId),
    open: Schema.optionalKey(Schema.Boolean),
    ...page
  },
  success: Schema.Struct({ incidents: Schema.Array(Incident), total: Schema.Int })
})

/** Lists the queues that have pending or dead jobs (jobs whose last attempt failed). */
const JobsOverview = Rpc.make("JobsOverview", { success: Schema.Array(QueueFigures) })

/** Lists dead jobs, whose last attempt failed, the latest failure first. */
const ListDeadJobs = Rpc.make("ListDeadJobs", {
  payload: { queue: Schema.optionalKey(Line), ...page },
  success: Schema.Struct({ jobs: Schema.Array(DeadJob), total: Schema.Int })
})

const deadJob = { payload: { job_id: Schema.Int }, success: Schema.Struct({ queue: Schema.String }), error: NotFound }

/** Runs a dead job again, with as many attempts as a new job. */
const RetryJob = Rpc.make("RetryJob", deadJob)

const DiscardJob = Rpc.make("DiscardJob", deadJob)

/** Procedures for which the HTTP API has no endpoint (rules/authentication.md, People). */
export class AdministrationRpc extends RpcGroup.make(
  CreateOrganization,
  ListOrganizations,
  ShowOrganization,
  UpdateOrganization,
  SetPlan,
  ArchiveOrganization,
  ReopenOrganization,
  CreateTaxRate,
  UpdateTaxRate,
  SetDefaultTaxRates,
  ListTaxRates,
  CreateBankAccount,
  ArchiveBankAccount,
  ReopenBankAccount,
  SetOpeningBalance,
  SetProviderBalance,
  ListBankAccounts,
  IssueOrganizationToken,
  RevokeOrganizationToken,
  ListOrganizationTokens,
  RevokeDocumentLinks,
  ListRegistrations,
  ApproveRegistration,
  RejectRegistration,
  SuspendRegistration,
  DeregisterRegistration,
  ListIntegrityIncidents,
  JobsOverview,
  ListDeadJobs,
  RetryJob,
  DiscardJob
)
  .merge(PeopleRpc, EinvoicingRpc)
  .middleware(AdminGate) {}
