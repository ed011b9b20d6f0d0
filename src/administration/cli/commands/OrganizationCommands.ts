import type { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { passwordFile } from "./PeopleCommands.ts"
import { organization_id, paging, perform } from "../Root.ts"
import { type Transfer, transferCommands } from "./TransferCommands.ts"

const columns = ["id", "name", "country", "currency", "timezone", "plan", "archived_at"]

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization")),
    country: Flag.String("country").pipe(Flag.withDescription("ISO 3166-1 code, e.g. BE")),
    currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217 code, e.g. EUR")),
    timezone: Flag.String("timezone").pipe(Flag.withDescription("IANA name, e.g. Europe/Brussels")),
    language: Flag.String("language").pipe(Flag.withDescription("ISO 639-1 code, e.g. nl")),
    owner_email: Flag.String("owner-email").pipe(
      Flag.withDescription("Email address of the owner, who is created when unknown")
    ),
    owner_name: Flag.String("owner-name").pipe(Flag.withDescription("Name of a new owner"), Flag.optional),
    owner_password: passwordFile.pipe(Flag.optional)
  },
  (flags) => perform("CreateOrganization", flags)
).pipe(
  Command.withDescription("Open an organization with the usual tax rates of its country"),
  Command.withExamples([
    {
      command:
        "npm run admin -- organization create --name Acme --country BE --currency EUR --timezone Europe/Brussels --language nl --owner-email owner@example.com",
      description: "Open a Belgian organization; the answer holds a link with which a new owner sets a password"
    }
  ])
)

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(Flag.withDescription("Part of a name or number"), Flag.optional),
    ...paging
  },
  (flags) => perform("ListOrganizations", flags, columns)
).pipe(Command.withDescription("List organizations, the newest first"))

const show = Command.make("show", { organization_id }, (flags) => perform("ShowOrganization", flags)).pipe(
  Command.withDescription("Show an organization with its address and settings")
)

const plan = Flag.String("plan").pipe(Flag.withDescription("standard, or a plan of ARCHIVE_PLANS (business)"))

const setPlan = Command.make("set-plan", { organization_id, plan }, (flags) => perform("SetPlan", flags)).pipe(
  Command.withDescription("Set the plan of an organization")
)

const gib = Flag.Int("gib").pipe(Flag.withDescription("Limit for receipts and attachments in GiB; the default is 10"))

const setQuota = Command.make("set-quota", { organization_id, gib }, ({ gib, organization_id }) =>
  perform("UpdateOrganization", { organization_id, settings: [{ key: "stored_bytes_quota", value: gib * 1024 ** 3 }] })
).pipe(Command.withDescription("Set the storage quota of an organization, also above the default"))

const archive = Command.make("archive", { organization_id }, (flags) => perform("ArchiveOrganization", flags)).pipe(
  Command.withDescription("Archive an organization: it can only be read from then on")
)

const reopen = Command.make("reopen", { organization_id }, (flags) => perform("ReopenOrganization", flags)).pipe(
  Command.withDescription("Reopen an archived organization: it can be changed again")
)

export const organizationCommand = <R>(load: Effect.Effect<Transfer<R>>) =>
  Command.make("organization").pipe(
    Command.withDescription("Organizations"),
    Command.withSubcommands([create, list, show, setPlan, setQuota, archive, reopen, ...transferCommands(load)])
  )
