import { Effect, Option, Predicate } from "effect"
import type { UserId } from "../kernel/Ids.ts"

interface Payload {
  readonly [field: string]: unknown
}

type Run = (payload: Payload, options: unknown) => Effect.Effect<unknown, unknown, unknown>

/** Procedures that change nothing. */
const reading = /^(?:Check|Compare|Export|List|Show)|Overview$/

/**
 * Fields of a payload that name the changed record, or that say what changed. None of them is a secret, and names and
 * addresses of people are not among them.
 */
const told = /^(?:superadmin|role|plan|document|adapter|provider)$|_id$/

type FindUser = (email: string) => Effect.Effect<Option.Option<{ readonly id: UserId }>>

/**
 * Logs each call of a procedure that changed something, with its caller. Users, OAuth clients and jobs belong to no
 * organization, so no audit log records their changes.
 */
export const logged = <Procedures extends object>(
  procedures: Procedures,
  actor: string,
  findUser: FindUser
): Procedures => {
  // Boundary: each procedure is called with the payload that its caller passes, so its own type stays correct.
  const all = Object.entries(procedures as Readonly<Record<string, Run>>)
  const wrapped = all.map(([procedure, run]) => {
    if (reading.test(procedure)) return [procedure, run] as const
    const withLog: Run = (payload, options) =>
      Effect.tap(run(payload, options), (answer) =>
        Effect.flatMap(userOf(payload, findUser), (user) =>
          Effect.annotateLogs(Effect.logInfo("administered"), {
            ...targetOf(payload),
            ...user,
            ...madeBy(answer),
            procedure,
            actor
          })
        )
      )
    return [procedure, withLog] as const
  })
  // Boundary: the log line changes neither the answer of a procedure nor its refusals.
  return Object.fromEntries(wrapped) as unknown as Procedures
}

const targetOf = (payload: Payload | undefined) =>
  Object.fromEntries(Object.entries(payload ?? {}).filter(([field]) => told.test(field)))

/** Returns the id of the user whom the payload names by an address. A failure must not turn a change into an error. */
const userOf = (payload: Payload | undefined, findUser: FindUser) => {
  const email = payload?.["email"]
  if (typeof email !== "string") return Effect.succeed({})
  return findUser(email).pipe(
    Effect.map(Option.match({ onNone: () => ({}), onSome: ({ id }) => ({ user_id: id }) })),
    Effect.catchCause(() => Effect.succeed({}))
  )
}

/** Returns the ids of the records in an answer such as `{ client, client_secret }`. */
const madeBy = (answer: unknown) =>
  Object.fromEntries(
    Object.entries(Predicate.isObject(answer) ? answer : {}).flatMap(([name, record]) =>
      Predicate.hasProperty(record, "id") ? [[`${name}_id`, record.id]] : []
    )
  )
