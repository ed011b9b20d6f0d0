import { Command, Flag } from "effect/cli"
import { paging, perform } from "../Root.ts"

const columns = ["id", "queue", "job", "attempts", "failed_at"]

const overview = Command.make("overview", {}, (flags) => perform("JobsOverview", flags)).pipe(
  Command.withDescription("Show how many jobs wait in each queue, and how many failed permanently")
)

const dead = Command.make(
  "dead",
  {
    queue: Flag.String("queue").pipe(Flag.withDescription("Only jobs of this queue"), Flag.optional),
    ...paging
  },
  (flags) => perform("ListDeadJobs", flags, columns)
).pipe(Command.withDescription("List jobs that failed permanently, the latest first; --json shows the reason"))

const job_id = Flag.Int("job").pipe(Flag.withDescription("Id of a dead job"))

const retry = Command.make("retry", { job_id }, (flags) => perform("RetryJob", flags)).pipe(
  Command.withDescription("Run a dead job again, with the full number of attempts")
)

const discard = Command.make("discard", { job_id }, (flags) => perform("DiscardJob", flags)).pipe(
  Command.withDescription("Delete a dead job for good")
)

export const job = Command.make("job").pipe(
  Command.withDescription("Jobs behind the requests"),
  Command.withSubcommands([overview, dead, retry, discard])
)
