import { Console, Effect, Option, type Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { isRecipient, type Lock, type Unlock } from "../../../platform/backup/BackupFile.ts"
import { userError } from "../AdminClient.ts"
import { forPeople } from "../Output.ts"
import { secretFile } from "./PeopleCommands.ts"
import { admin } from "../Root.ts"

export interface Failure {
  readonly message: string
}

export interface Summary {
  readonly [key: string]: Schema.Json
}

/** The operations of the commands that use the database and the storage directly, not a running service. */
interface Maintenance<R> {
  readonly backup: (file: string, lock: Lock) => Effect.Effect<Summary, Failure, R>
  /** `unproven` lists the organizations whose archives did not pass their proof after the restore. */
  readonly restore: (
    file: string,
    unlock: Unlock,
    resumes: boolean
  ) => Effect.Effect<Summary & { readonly unproven: ReadonlyArray<number> }, Failure, R>
  readonly hold: () => Effect.Effect<Summary, Failure, R>
  readonly resume: () => Effect.Effect<Summary, Failure, R>
}

const recipients_max = 20

const passphrase = secretFile("passphrase-file", "File with the passphrase of the backup").pipe(Flag.optional)

const recipients = Flag.String("recipient").pipe(
  Flag.withDescription("Public age key (age1...) whose owner can read the backup; may be repeated"),
  Flag.between(1, recipients_max),
  Flag.withDefault([])
)

const identities = secretFile("identity-file", "File with a private age key (AGE-SECRET-KEY-1...)").pipe(
  Flag.map((text) => text.split("\n").filter((line) => line.startsWith("AGE-SECRET-KEY-"))),
  Flag.withDefault([])
)

export const locking = { passphrase, recipients }

interface Locking {
  readonly passphrase: Option.Option<string>
  readonly recipients: ReadonlyArray<string>
}

const passphrase_characters_min = 8

export const lockOf = ({ passphrase, recipients }: Locking) => {
  if (Option.isSome(passphrase) && recipients.length > 0) {
    return Effect.fail(userError("Choose --passphrase-file or --recipient, not both."))
  }
  // A file that a failed command left empty would make a backup that anybody can read.
  if (Option.isSome(passphrase) && passphrase.value.length < passphrase_characters_min) {
    return Effect.fail(
      userError(`--passphrase-file must contain a passphrase of at least ${passphrase_characters_min} characters.`)
    )
  }
  return recipients.every(isRecipient)
    ? Effect.succeed<Lock>({ passphrase: Option.getOrUndefined(passphrase), recipients })
    : Effect.fail(
        userError("--recipient must be a public age key, which begins with age1, as age-keygen -y prints it.")
      )
}

export const unlocking = { passphrase, identities }

interface Unlocking {
  readonly passphrase: Option.Option<string>
  readonly identities: ReadonlyArray<string>
}

export const unlockOf = ({ identities, passphrase }: Unlocking): Unlock => ({
  passphrase: Option.getOrUndefined(passphrase),
  identities
})

const resumes = Flag.Boolean("resume").pipe(
  Flag.withDescription("Continue the background work of the backup at once, because its installation is gone"),
  Flag.withDefault(false)
)

export const file = Argument.String("file")

export const backupCommands = <R>(load: Effect.Effect<Maintenance<R>>) => [
  Command.make("backup", { file, ...locking }, ({ file, ...locking }) =>
    Effect.flatMap(lockOf(locking), (lock) => print(Effect.flatMap(load, ({ backup }) => backup(file, lock))))
  ).pipe(
    Command.withDescription(
      "Write database and stored files into FILE while the service runs; the keys (SECRET_KEY, SIGNING_KEY) are not in it"
    )
  ),
  Command.make("restore", { file, ...unlocking, resumes }, ({ file, resumes, ...unlocking }) =>
    Effect.gen(function* () {
      const { unproven } = yield* print(
        Effect.flatMap(load, ({ restore }) => restore(file, unlockOf(unlocking), resumes))
      )
      if (unproven.length > 0) {
        return yield* userError(
          `Everything was restored, but the books of organization ${unproven.join(", ")} are not proven: see archive incidents.`
        )
      }
    })
  ).pipe(Command.withDescription("Restore FILE into an empty database and storage while the service is stopped")),
  Command.make("hold", {}, () => print(Effect.flatMap(load, ({ hold }) => hold()))).pipe(
    Command.withDescription(
      "Hold the background work of a copy made by another tool, such as a snapshot, before its first start"
    )
  ),
  Command.make("resume", {}, () => print(Effect.flatMap(load, ({ resume }) => resume()))).pipe(
    Command.withDescription("Let a restored copy send the mails, webhooks and submissions that were waiting in it")
  )
]

/** Prints the summary of an operation, or its failure in one sentence. */
export const print = Effect.fnUntraced(function* <A extends Summary, R>(work: Effect.Effect<A, Failure, R>) {
  const { json } = yield* admin
  const summary = yield* Effect.mapError(work, ({ message }) => userError(message))
  yield* Console.log(json ? JSON.stringify(summary, undefined, 2) : forPeople(summary))
  return summary
})
