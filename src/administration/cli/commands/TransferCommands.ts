import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OrganizationId } from "../../../kernel/Ids.ts"
import type { Lock, Unlock } from "../../../platform/backup/BackupFile.ts"
import { userError } from "../AdminClient.ts"
import { type Failure, file, locking, lockOf, print, type Summary, unlocking, unlockOf } from "./BackupCommands.ts"

/** These operations use the database directly, not a running service. */
export interface Transfer<R> {
  readonly exportOne: (
    id: OrganizationId,
    file: string,
    lock: Lock,
    isFinal: boolean
  ) => Effect.Effect<Summary, Failure, R>
  /** `unproven` names the organization if its archive did not pass its proof after the import. */
  readonly importOne: (
    file: string,
    unlock: Unlock
  ) => Effect.Effect<Summary & { readonly unproven: ReadonlyArray<number> }, Failure, R>
  readonly idRange: (range: number) => Effect.Effect<Summary, Failure, R>
}

/** Ids in JSON are exact below 2^53 and a range has 10^12 ids, so 9,006 is the last whole range. */
const range = Argument.Int("range").pipe(
  Argument.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_006 })))
)

const id = Argument.Int("id").pipe(Argument.withSchema(OrganizationId))

const final = Flag.Boolean("final").pipe(
  Flag.withDescription("End the background work of the archived organization here, before it moves"),
  Flag.withDefault(false)
)

export const transferCommands = <R>(load: Effect.Effect<Transfer<R>>) => [
  Command.make("export", { id, file, ...locking, final }, ({ id, file, final, ...locking }) =>
    Effect.flatMap(lockOf(locking), (lock) =>
      print(Effect.flatMap(load, ({ exportOne }) => exportOne(id, file, lock, final)))
    )
  ).pipe(Command.withDescription("Write the organization ID with its stored files into FILE while the service runs")),
  Command.make("import", { file, ...unlocking }, ({ file, ...unlocking }) =>
    Effect.gen(function* () {
      const { unproven } = yield* print(Effect.flatMap(load, ({ importOne }) => importOne(file, unlockOf(unlocking))))
      if (unproven.length === 0) return
      return yield* userError("The organization was imported, but its books are not proven: see archive incidents.")
    })
  ).pipe(Command.withDescription("Add the organization of FILE to this installation while the service runs")),
  Command.make("id-range", { range }, ({ range }) => print(Effect.flatMap(load, ({ idRange }) => idRange(range)))).pipe(
    Command.withDescription(
      "Number new records from RANGE x 10^12 on (1 to 9006), so that organizations can move between installations"
    )
  )
]
