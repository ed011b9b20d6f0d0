import { Effect, FileSystem } from "effect"
import { Command, Flag } from "effect/cli"
import { userError } from "../AdminClient.ts"
import { Role } from "../../../kernel/Role.ts"
import { organization_id, paging, perform } from "../Root.ts"

/** A secret is read from a file, not from the command line, which other users of the machine can read. */
export const secretFile = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}, e.g. /dev/stdin`),
    // `Flag.FileText` refuses files that are not regular, such as pipes.
    Flag.mapEffect((file) =>
      Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(file)).pipe(
        Effect.map((text) => text.replace(/\r?\n$/, "")),
        Effect.mapError(() => userError(`The ${name.replace("-", " ")} ${file} cannot be read.`))
      )
    )
  )

export const passwordFile = secretFile("password-file", "File with the password")

const email = Flag.String("email").pipe(Flag.withDescription("Email address of the user"))

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
  (flags) => perform("CreateUser", flags)
).pipe(Command.withDescription("Create a user"))

const passwordLink = Command.make("password-link", { email }, (flags) => perform("CreatePasswordLink", flags)).pipe(
  Command.withDescription("Make a link with which a user sets a password; it works once")
)

const superadmin = Command.make(
  "superadmin",
  {
    email,
    superadmin: Flag.Boolean("revoke").pipe(
      Flag.withDescription("Take the right away"),
      Flag.withDefault(false),
      Flag.map((revoke) => !revoke)
    )
  },
  (flags) => perform("SetSuperadmin", flags)
).pipe(Command.withDescription("Let a user run this installation, in a browser at /admin"))

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(Flag.withDescription("Part of a name or email address"), Flag.optional),
    ...paging
  },
  (flags) => perform("ListUsers", flags, ["id", "name", "email", "superadmin", "second_factor", "disabled_at"])
).pipe(Command.withDescription("List users, the newest first"))

const disable = Command.make("disable", { email }, (flags) => perform("DisableUser", flags)).pipe(
  Command.withDescription("Log a user out everywhere, revoke their tokens and refuse their logins")
)

const enable = Command.make("enable", { email }, (flags) => perform("EnableUser", flags)).pipe(
  Command.withDescription("Let a disabled user log in again")
)

const removeSecondFactor = Command.make("remove-second-factor", { email }, (flags) =>
  perform("RemoveSecondFactor", flags)
).pipe(Command.withDescription("Turn off the second step of a user who lost the authenticator app"))

export const setup = Command.make("setup", {}, (flags) => perform("CreateSetupLink", flags)).pipe(
  Command.withDescription("Make a link that opens the first organization of an empty installation; it works once")
)

const role = Flag.Literals("role", Role.literals).pipe(Flag.withDescription("Role in the organization"))
const ofMember = {
  organization_id,
  user_id: Flag.Int("user").pipe(Flag.withDescription("Id of the user"))
}

const inviteMember = Command.make("invite", { organization_id, email, role }, (flags) =>
  perform("InviteMember", flags)
).pipe(Command.withDescription("Invite somebody to an organization by mail, also as an owner"))

const setRole = Command.make("set-role", { ...ofMember, role }, (flags) => perform("SetRole", flags)).pipe(
  Command.withDescription("Change the role of a member")
)

const removeMember = Command.make("remove", ofMember, (flags) => perform("RemoveMember", flags)).pipe(
  Command.withDescription("Remove a member, who loses access immediately")
)

export const member = Command.make("member").pipe(
  Command.withDescription("Members of organizations"),
  Command.withSubcommands([inviteMember, setRole, removeMember])
)

export const user = Command.make("user").pipe(
  Command.withDescription("Users"),
  Command.withSubcommands([createUser, list, passwordLink, disable, enable, removeSecondFactor, superadmin])
)
