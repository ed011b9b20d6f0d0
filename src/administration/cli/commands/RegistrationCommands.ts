import { Command, Flag } from "effect/cli"
import { RegistrationStatus } from "../../../einvoicing/records/Registration.ts"
import { organization_id, paging, perform } from "../Root.ts"

const registration_id = Flag.Int("registration").pipe(Flag.withDescription("Id of the registration"))

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", RegistrationStatus.literals).pipe(
      Flag.withDescription("Only registrations with this status; the default is all"),
      Flag.optional
    ),
    ...paging
  },
  (flags) =>
    perform("ListRegistrations", flags, ["id", "organization_id", "status", "provider", "legal_name", "submitted_at"])
).pipe(Command.withDescription("List the e-invoicing registrations of all organizations"))

const approve = Command.make("approve", { organization_id, registration_id }, (flags) =>
  perform("ApproveRegistration", flags)
).pipe(Command.withDescription("Enroll a pending or suspended registration on its network"))

const reject = Command.make(
  "reject",
  {
    organization_id,
    registration_id,
    reason: Flag.String("reason").pipe(Flag.withDescription("Reason that the organization reads"))
  },
  (flags) => perform("RejectRegistration", flags)
).pipe(Command.withDescription("Refuse a pending registration"))

const suspend = Command.make("suspend", { organization_id, registration_id }, (flags) =>
  perform("SuspendRegistration", flags)
).pipe(Command.withDescription("Take an organization off its network until it is approved again"))

const deregister = Command.make("deregister", { organization_id, registration_id }, (flags) =>
  perform("DeregisterRegistration", flags)
).pipe(Command.withDescription("Take an organization off its network for good"))

export const registration = Command.make("registration").pipe(
  Command.withDescription("E-invoicing registrations"),
  Command.withSubcommands([list, approve, reject, suspend, deregister])
)
