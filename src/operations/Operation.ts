import { Schema, Struct } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Timestamp } from "../kernel/Calendar.ts"
import { compiled } from "../kernel/Compiled.ts"
import { data, pageQuery } from "../kernel/Envelope.ts"
import { OperationId } from "../kernel/Ids.ts"

export const OperationKind = Schema.Literals(["batch_create", "batch_send", "statement_import"])
export type OperationKind = typeof OperationKind.Type

const endpoints: Readonly<Record<OperationKind, string>> = {
  batch_create: "batch.createInvoices",
  batch_send: "batch.sendInvoices",
  statement_import: "bankAccounts.importStatement"
}

/** The endpoint that orders the operation, whose row of the access table says who may have it done and see it. */
export const endpointOf = (kind: OperationKind): string => endpoints[kind]

const OperationStatus = Schema.Literals(["queued", "running", "completed", "failed"])

/** The body of a refusal, as the endpoint that orders the operation answers it when it does the work itself. */
export const OperationError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  details: Schema.optionalKey(Schema.Json)
})
export type OperationError = typeof OperationError.Type

/** Work that goes on after the request which ordered it was answered; contract section 21. */
export const Operation = compiled(
  Schema.Struct({
    id: OperationId,
    kind: OperationKind,
    status: OperationStatus,
    /** Items of a batch; 1 for a statement. */
    total: Schema.Int,
    /** Items that have a result, the failed ones included. */
    done: Schema.Int,
    failed: Schema.Int,
    results: Schema.NullOr(Schema.Json).annotate({
      description:
        "Null until the operation ends. Of a batch the results in the order of the request, as `data.results` of its " +
        "endpoint; of a statement the import session. A failed operation has the results of the items that were tried."
    }),
    error: Schema.NullOr(OperationError).annotate({ description: "Why the operation failed as a whole." }),
    created_at: Timestamp,
    completed_at: Schema.NullOr(Timestamp)
  })
)
export type Operation = typeof Operation.Type

/** A list leaves the results out, which can be megabytes each. */
export const ListedOperation = Schema.Struct(Struct.omit(Operation.fields, ["results"]))
export type ListedOperation = typeof ListedOperation.Type

export const operationsQuery = {
  ...pageQuery,
  kind: Schema.optionalKey(OperationKind),
  status: Schema.optionalKey(OperationStatus)
}
const OperationsQuery = Schema.Struct(operationsQuery)
export type OperationsQuery = typeof OperationsQuery.Type

/** The answer to a request whose work is done later. */
export const accepted = HttpApiSchema.WithHeaders(data(Operation).pipe(HttpApiSchema.status(202)), {
  location: Schema.String,
  "preference-applied": Schema.String
})

/** The value of that answer. */
export const acceptedAs = (operation: Operation) =>
  HttpApiSchema.withHeaders({
    body: operation,
    headers: { location: `/api/v1/operations/${operation.id}`, "preference-applied": respond_async }
  })
const respond_async = "respond-async"

/** Headers of an endpoint that can do its work later. */
export const preferHeaders = {
  prefer: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`respond-async` (RFC 7240) has the work done later: the answer is 202 with an operation, which " +
        "`GET /operations/{id}` tells more of. `amounts=string` may stand beside it."
    })
  )
}

const quoted = /"(?:[^"\\]|\\.)*"/g

/** Whether a client prefers the work to be done later (RFC 7240, 4.1). Preferences may have values and parameters. */
export const prefersLater = ({ prefer = "" }: { readonly prefer?: string }): boolean =>
  prefer
    .replaceAll(quoted, "")
    .split(",")
    .some((preference) => /^\s*respond-async\s*(?:$|[=;])/i.test(preference))
