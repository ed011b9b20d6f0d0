import { Console, Effect, Schedule, Schema } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { type CopySession, copySession } from "../../platform/backup/CopySession.ts"
import { TransferRefused } from "../../platform/backup/TransferRefused.ts"
import { lock_expiration } from "../../platform/jobs/Jobs.ts"
import type { Connection } from "../../platform/sql/Database.ts"
import { relay_turn } from "../../webhooks/deliveries/RelayTurn.ts"

/** Planned polls of e-invoices for up to 90 days. Each installation plans them again from the table of e-invoices. */
const planned_queue = "einvoices.follow-up"
const ask_interval = "1 second"

/** Searches the text of each job for the organization's id, because not all queues have it in a column. */
const jobsOf = (id: OrganizationId) => `state = 'pending' and element ~ '"organization_id":${id}[,}]'`

/** The column has no time zone, and the service writes it in UTC. The session may have the time zone of the server. */
const isRunning = `state = 'pending' and acquired_at > now() at time zone 'UTC' - interval '${lock_expiration}'`

/** Counts the jobs of an organization that its copy in another installation would lack. */
export const waitingJobs = (session: CopySession, id: OrganizationId) =>
  Effect.map(
    session.rows(
      Schema.Struct({ count: Schema.Int }),
      `select count(*)::integer as count from jobs where ${jobsOf(id)} and queue_name <> '${planned_queue}'`
    ),
    ([row]) => row?.count ?? 0
  )

/**
 * Ends the background work of an archived organization before its last export, so that this installation and the one
 * that imports it do not both mail customers, exchange documents with networks and deliver events.
 */
export const departOrganization = Effect.fn("Departure.depart")(function* (connection: Connection, id: OrganizationId) {
  const session = yield* copySession(connection)
  yield* session.begin()
  // Waits for a relay that has begun, because it may enqueue jobs.
  yield* session.run(`select pg_advisory_xact_lock(${relay_turn})`)
  const archived = yield* session.rows(
    Schema.Struct({ found: Schema.Int }),
    `update organizations set moved_at = coalesce(moved_at, now())
     where id = ${id} and archived_at is not null returning 1 as found`
  )
  if (archived.length === 0) return yield* TransferRefused.of(`Archive organization ${id} first: organization archive.`)
  yield* endJobs(session, id)
  yield* session.run("commit")
  yield* lastRuns(session)
  yield* lastDeliveries(session, id)
  // The work that has just ended may have enqueued jobs.
  yield* endJobs(session, id)
}, Effect.scoped)

/** Deletes the planned polls of the organization, and refuses to go on while other jobs of it wait. */
const endJobs = Effect.fnUntraced(function* (session: CopySession, id: OrganizationId) {
  const waiting = yield* waitingJobs(session, id)
  if (waiting > 0) {
    return yield* TransferRefused.of(
      `Jobs of organization ${id} are waiting (${waiting}): repeat the command in half an hour.`
    )
  }
  yield* session.run(`delete from jobs where ${jobsOf(id)} and queue_name = '${planned_queue}'`)
})

/** Waits for the periodic work that had begun when the organization departed, and that may still write its records. */
const lastRuns = Effect.fnUntraced(function* (session: CopySession) {
  const Run = Schema.Struct({ sequence: Schema.FiniteFromString })
  const select = `select sequence::text from jobs where ${isRunning} and queue_name like 'timed.%'`
  const running = yield* session.rows(Run, select)
  if (running.length === 0) return
  yield* Console.error("Waiting until the periodic work that is running has ended ...")
  const ids = running.map(({ sequence }) => sequence).join(", ")
  yield* untilNone(session.rows(Run, `${select} and sequence in (${ids})`))
})

/** Waits for the deliveries that are being made, whose results the export contains. The other ones wait for the import. */
const lastDeliveries = (session: CopySession, id: OrganizationId) =>
  untilNone(
    session.rows(
      Schema.Struct({ found: Schema.Int }),
      `select 1 as found from webhook_lanes where organization_id = ${id} and leased_until > now()`
    )
  )

const untilNone = <Row, E>(select: Effect.Effect<ReadonlyArray<Row>, E>) =>
  Effect.repeat(select, { while: (rows) => rows.length > 0, schedule: Schedule.spaced(ask_interval) })
