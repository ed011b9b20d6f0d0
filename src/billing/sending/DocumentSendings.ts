import { Context, Effect, Exit, Fiber, Layer, Option, Schedule } from "effect"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import { newToken } from "../../platform/crypto/Opaque.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { DocumentSendingsRepo } from "./DocumentSendingsRepo.ts"
import { SendInProgress } from "./SendErrors.ts"

/** As long as a sending lasts that nobody lets go. */
const let_go_attempts_max = 60
const let_go_pause = "1 second"

interface Sent {
  readonly kind: DocumentKind
  readonly id: number
}

/** Who is sending a document right now: two sends of one would both number it and both write to its recipients. */
export class DocumentSendings extends Context.Service<
  DocumentSendings,
  {
    /**
     * Runs the send of one document to its end, even when the client hangs up in the middle, and outside the
     * transaction of an Idempotency-Key.
     */
    readonly exclusively: (
      document: Sent
    ) => <A, E, R>(send: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SendInProgress, R | CurrentOrganization>
    /**
     * Runs what must not happen to a document while it is sent, as part of the caller's transaction. A send that begins
     * meanwhile waits for the end of that.
     */
    readonly unlessSending: (
      document: Sent
    ) => <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SendInProgress, R | CurrentOrganization>
  }
>()("invoicing/billing/sending/DocumentSendings") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DocumentSendingsRepo
      const { apart } = yield* Database
      const scope = yield* Effect.scope

      /** Now, or as soon as the database is back: what was sent stays sent, and the next one need not wait a minute. */
      const letGo = (end: Effect.Effect<void>) =>
        Effect.catchCause(end, () =>
          Effect.sandbox(end).pipe(
            Effect.retry({ times: let_go_attempts_max - 1, schedule: Schedule.spaced(let_go_pause) }),
            Effect.ignoreCause,
            Effect.forkIn(scope)
          )
        )

      const begin = Effect.fnUntraced(function* ({ id, kind }: Sent) {
        const { id: organization_id } = yield* CurrentOrganization
        const holder = yield* newToken("send")
        const sending = { organization_id, document: kind, document_id: id, holder }
        if (Option.isNone(yield* repo.begin(sending))) return yield* SendInProgress.of()
        return sending
      })

      const exclusively: DocumentSendings["Service"]["exclusively"] = (document) => (send) =>
        Effect.flatMap(begin(document), (sending) => Effect.ensuring(send, letGo(repo.end(sending)))).pipe(
          apart,
          Effect.forkIn(scope),
          // Interrupting the wait does not interrupt the send.
          Effect.flatMap(Fiber.await),
          Effect.flatMap((exit) => (Exit.isSuccess(exit) ? Effect.succeed(exit.value) : Effect.failCause(exit.cause)))
        )

      const unlessSending: DocumentSendings["Service"]["unlessSending"] = (document) => (change) =>
        Effect.flatMap(begin(document), (sending) => Effect.tap(change, repo.end(sending)))

      return DocumentSendings.of({ exclusively, unlessSending })
    })
  ).pipe(Layer.provide(DocumentSendingsRepo.layer))
}
