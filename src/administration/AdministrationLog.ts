import { Effect } from "effect"

interface Payload {
  readonly [field: string]: unknown
}

type Run = (payload: Payload, options: unknown) => Effect.Effect<unknown, unknown, unknown>

/** Procedures that change nothing. */
const reading = /^(?:Check|Compare|Export|List|Show)|Overview$/

/** Fields of a payload that name the changed record, or that say what changed. None of them is a secret. */
const told = /^(?:email|owner_email|name|superadmin|plan|document|adapter|provider)$|_id$/

/**
 * Logs each call of a procedure that changed something, with its caller. Users, OAuth clients and jobs belong to no
 * organization, so no audit log records their changes.
 */
export const logged = <Procedures extends object>(procedures: Procedures, actor: string): Procedures => {
  // Boundary: each procedure is called with the payload that its caller passes, so its own type stays correct.
  const all = Object.entries(procedures as Readonly<Record<string, Run>>)
  const wrapped = all.map(([procedure, run]) => {
    if (reading.test(procedure)) return [procedure, run] as const
    const withLog: Run = (payload, options) =>
      Effect.tap(run(payload, options), () =>
        Effect.annotateLogs(Effect.logInfo("administered"), { ...targetOf(payload), procedure, actor })
      )
    return [procedure, withLog] as const
  })
  // Boundary: the log line changes neither the answer of a procedure nor its refusals.
  return Object.fromEntries(wrapped) as unknown as Procedures
}

const targetOf = (payload: Payload | undefined) =>
  Object.fromEntries(Object.entries(payload ?? {}).filter(([field]) => told.test(field)))
