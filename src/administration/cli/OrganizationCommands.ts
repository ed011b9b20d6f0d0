import { Effect, FileSystem } from "effect"
import { Command, Flag } from "effect/cli"
import {
  ArchiveOrganization,
  CreateOrganization,
  CreatePasswordLink,
  CreateUser,
  ListOrganizations,
  SetPlan,
  SetSuperadmin
} from "../AdministrationRpc.ts"
import { userError } from "./AdminClient.ts"
import { organization_id, paging, perform } from "./Root.ts"

const columns = ["id", "name", "country", "currency", "timezone", "plan", "archived_at"]

/** The password is not an argument, because other users of the machine can read arguments. */
const passwordFile = Flag.String("password-file").pipe(
  Flag.withDescription("File with the password, e.g. /dev/stdin"),
  // `Flag.FileText` refuses files that are not regular, such as pipes.
  Flag.mapEffect((file) =>
    Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(file)).pipe(
      Effect.map((text) => text.replace(/\r?\n$/, "")),
      Effect.mapError(() => userError(`The password file ${file} cannot be read.`))
    )
  )
)

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
  (flags) => perform(CreateOrganization, flags, (client, payload) => client.CreateOrganization(payload))
).pipe(
  Command.withDescription("Open an organization with the usual tax rates of its country"),
  Command.withExamples([
    {
      command:
        "npm run admin -- organization create --name Acme --country BE --currency EUR --timezone Europe/Brussels --language nl --owner-email owner@example.com",
      description: "Open a Belgian organization; `user password-link` then lets a new owner log in"
    }
  ])
)

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(Flag.withDescription("Part of a name or number"), Flag.optional),
    ...paging
  },
  (flags) => perform(ListOrganizations, flags, (client, payload) => client.ListOrganizations(payload), columns)
).pipe(Command.withDescription("List organizations, the newest first"))

const setPlan = Command.make("set-plan", { organization_id, plan: Flag.String("plan") }, (flags) =>
  perform(SetPlan, flags, (client, payload) => client.SetPlan(payload))
).pipe(Command.withDescription("Set the plan of an organization"))

const archive = Command.make("archive", { organization_id }, (flags) =>
  perform(ArchiveOrganization, flags, (client, payload) => client.ArchiveOrganization(payload))
).pipe(Command.withDescription("Archive an organization: it can only be read from then on"))

export const organization = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([create, list, setPlan, archive])
)

const createUser = Command.make(
  "create",
  {
    name: Flag.String("name"),
    email: Flag.String("email"),
    password: passwordFile,
    superadmin: Flag.Boolean("superadmin").pipe(
      Flag.withDescription("The user may run this installation"),
      Flag.withDefault(false)
    )
  },
  (flags) => perform(CreateUser, flags, (client, payload) => client.CreateUser(payload))
).pipe(Command.withDescription("Create a user"))

const passwordLink = Command.make(
  "password-link",
  { email: Flag.String("email").pipe(Flag.withDescription("Email address of the user")) },
  (flags) => perform(CreatePasswordLink, flags, (client, payload) => client.CreatePasswordLink(payload))
).pipe(Command.withDescription("Make a link with which a user sets a password; it works once"))

const superadmin = Command.make(
  "superadmin",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Email address of the user")),
    superadmin: Flag.Boolean("revoke").pipe(
      Flag.withDescription("Take the right away"),
      Flag.withDefault(false),
      Flag.map((revoke) => !revoke)
    )
  },
  (flags) => perform(SetSuperadmin, flags, (client, payload) => client.SetSuperadmin(payload))
).pipe(Command.withDescription("Let a user run this installation, in a browser at /admin"))

export const user = Command.make("user").pipe(
  Command.withDescription("Users"),
  Command.withSubcommands([createUser, passwordLink, superadmin])
)
