import { Context, Effect, Fiber, Layer, Option, Schedule } from "effect"
import type { DocumentKey, DocumentKind } from "../../kernel/DocumentKind.ts"
import { newToken } from "../../platform/crypto/Opaque.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { SendLeasesRepo, sending_seconds } from "./SendLeasesRepo.ts"
import { SendInProgress } from "./SendErrors.ts"

const renewal_interval = "5 seconds"
/** Maximum number of attempts to release a lease, one per second. The lease expires by itself after that time. */
const release_attempts_max = sending_seconds
const release_pause = "1 second"

interface Target {
  readonly kind: DocumentKind
  readonly id: number
}

/** The right to send a document. Another process may take over a lease that was not renewed for `sending_seconds`. */
export interface SendLease extends DocumentKey {
  readonly holder: string
}

/** Prevents two concurrent sends of a document, which would both number it and both write to its recipients. */
export class DocumentSendLocks extends Context.Service<
  DocumentSendLocks,
  {
    /**
     * Runs a send outside the caller's transaction. It continues if the client disconnects, and ends if the lease is
     * lost.
     */
    readonly exclusively: (
      document: Target
    ) => <A, E, R>(
      send: (lease: SendLease) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SendInProgress, R | CurrentOrganization>
    /**
     * Runs a change in the caller's transaction. Fails while the document is being sent, and prevents a send meanwhile.
     */
    readonly unlessSending: (
      document: Target
    ) => <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SendInProgress, R | CurrentOrganization>
  }
>()("invoicing/billing/sending/DocumentSendLocks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SendLeasesRepo
      const { apart } = yield* Database
      const scope = yield* Effect.scope

      /** Retries in the background while the database is unavailable, so that the lease ends before it expires. */
      const release = (end: Effect.Effect<void>) =>
        Effect.catchCause(end, () =>
          Effect.sandbox(end).pipe(
            Effect.retry({ times: release_attempts_max - 1, schedule: Schedule.spaced(release_pause) }),
            Effect.ignoreCause,
            Effect.forkIn(scope)
          )
        )

      const begin = Effect.fnUntraced(function* ({ id, kind }: Target) {
        const { id: organization_id } = yield* CurrentOrganization
        const holder = yield* newToken("send")
        const lease: SendLease = { organization_id, document: kind, document_id: id, holder }
        if (Option.isNone(yield* repo.begin(lease))) return yield* SendInProgress.of()
        return lease
      })

      /** Fails when another process has taken the lease over. An outage of the database does not fail the renewal. */
      const renewal = (lease: SendLease) =>
        Effect.map(repo.renew(lease), Option.isSome).pipe(
          Effect.catchDefect(() => Effect.succeed(true)),
          Effect.flatMap((isOurs) => (isOurs ? Effect.void : SendInProgress.of())),
          Effect.delay(renewal_interval),
          Effect.forever
        )

      const exclusively: DocumentSendLocks["Service"]["exclusively"] = (document) => (send) =>
        Effect.flatMap(begin(document), (lease) =>
          Effect.ensuring(Effect.raceFirst(send(lease), renewal(lease)), release(repo.end(lease)))
        ).pipe(
          apart,
          Effect.forkIn(scope),
          // Interrupting the wait does not interrupt the send.
          Effect.flatMap(Fiber.join)
        )

      const unlessSending: DocumentSendLocks["Service"]["unlessSending"] = (document) => (change) =>
        Effect.flatMap(begin(document), (lease) => Effect.tap(change, repo.end(lease)))

      return DocumentSendLocks.of({ exclusively, unlessSending })
    })
  ).pipe(Layer.provide(SendLeasesRepo.layer))
}
