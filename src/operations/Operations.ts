import { Context, Effect, Layer, Option, type Schema } from "effect"
import type { PageRows } from "../kernel/Envelope.ts"
import type { OperationId } from "../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../kernel/Refusal.ts"
import { storedCaller } from "../organizations/access/AsCaller.ts"
import { mayUse } from "../organizations/access/Rights.ts"
import { CurrentOperation } from "../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../platform/http/Security.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { traceparent } from "../platform/observability/TraceContext.ts"
import { Database } from "../platform/sql/Database.ts"
import { endpointOf, type ListedOperation, type Operation, OperationKind, type OperationsQuery } from "./Operation.ts"
import { TooManyOperations } from "./OperationErrors.ts"
import { operationQueues } from "./OperationQueues.ts"
import { OperationsRepo } from "./OperationsRepo.ts"

/** Maximum number of unfinished operations per organization. */
const unended_max = 20
/** Maximum number of running operations per organization; further ones queue, so that organizations take turns. */
const running_max = 1

interface NewOperation {
  readonly kind: OperationKind
  /** Number of items that will have a result. */
  readonly total: number
  readonly input: Schema.Json
  readonly file?: Uint8Array
}

export class Operations extends Context.Service<
  Operations,
  {
    /** Stores the operation and its job together. A repeated idempotency key returns the earlier operation. */
    readonly enqueue: (operation: NewOperation) => Effect.Effect<Operation, TooManyOperations, Caller>
    /** Requires the right to use the operation's endpoint, because results contain the answers of that endpoint. */
    readonly get: (id: OperationId) => Effect.Effect<Operation, NotFound, Caller>
    readonly list: (query: OperationsQuery) => Effect.Effect<PageRows<ListedOperation>, never, Caller>
  }
>()("invoicing/operations/Operations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* OperationsRepo
      const jobs = yield* Jobs
      const { transaction } = yield* Database

      const readableKinds = Effect.gen(function* () {
        const organization = yield* CurrentOrganization
        const principal = yield* CurrentPrincipal
        return OperationKind.literals.filter((kind) => mayUse(principal, organization, endpointOf(kind)))
      })

      const get = Effect.fn("Operations.get")(function* (id: OperationId) {
        yield* Effect.annotateCurrentSpan({ "operation.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id, kinds: yield* readableKinds }))
      })

      const list = Effect.fn("Operations.list")(function* (query: OperationsQuery) {
        const { id } = yield* CurrentOrganization
        const kinds = (yield* readableKinds).filter((kind) => query.kind === undefined || query.kind === kind)
        return kinds.length === 0 ? { rows: [], total: 0 } : yield* repo.list(id, kinds, query)
      })

      const earlierOf = Effect.fnUntraced(function* (origin: string | undefined) {
        const { id: organization_id } = yield* CurrentOrganization
        return origin === undefined ? Option.none() : yield* repo.findOrigin({ organization_id, origin })
      })

      const insert = Effect.fnUntraced(function* ({ file, ...operation }: NewOperation) {
        const { id: organization_id } = yield* CurrentOrganization
        const origin = yield* CurrentOperation
        yield* repo.lock(organization_id)
        const known = yield* earlierOf(origin)
        if (Option.isSome(known)) return known.value
        const { offered, unended } = yield* repo.count(organization_id)
        if (unended >= unended_max) return yield* TooManyOperations.of(unended_max)
        const isNext = offered < running_max
        const caller = yield* storedCaller
        const cause = yield* traceparent
        const row = { ...operation, file: file ?? null, origin: origin ?? null, caller, traceparent: cause }
        const id = yield* repo.insert(row, isNext)
        if (isNext) yield* jobs.offer(operationQueues[operation.kind], { organization_id, id }, { id: String(id) })
        return id
      }, transaction)

      const enqueue = Effect.fn("Operations.enqueue")(function* (operation: NewOperation) {
        const id = yield* insert(operation)
        // The endpoint has just authorized the caller, so the caller may see the operation.
        return yield* Effect.orDie(get(id))
      })

      return Operations.of({ enqueue, get, list })
    })
  ).pipe(Layer.provide(OperationsRepo.layer))
}
