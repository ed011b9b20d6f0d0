import { Schema, Struct } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Timestamp } from "../kernel/Calendar.ts"
import { compiled } from "../kernel/Compiled.ts"
import { data, pageQuery } from "../kernel/Envelope.ts"
import { OperationId } from "../kernel/Ids.ts"
import { described } from "../kernel/Described.ts"
import { refusalFields } from "../kernel/Refusal.ts"

export const OperationKind = Schema.Literals(["batch_create", "batch_send", "statement_import"]).annotate({
  identifier: "OperationKind",
  description: "The work: `batch_create`, `batch_send` or `statement_import`."
})
export type OperationKind = typeof OperationKind.Type

const endpoints: Readonly<Record<OperationKind, string>> = {
  batch_create: "batch.createInvoices",
  batch_send: "batch.sendInvoices",
  statement_import: "bankAccounts.importStatement"
}

/** The endpoint that starts the operation. Whoever may use this endpoint may also see the operation. */
export const endpointOf = (kind: OperationKind): string => endpoints[kind]

const OperationStatus = Schema.Literals(["queued", "running", "completed", "failed"])

export const OperationError = Schema.Struct(refusalFields).annotate({
  identifier: "OperationError",
  description: "Why an operation failed as a whole."
})
export type OperationError = typeof OperationError.Type

export const Operation = compiled(
  Schema.Struct({
    id: OperationId,
    kind: OperationKind,
    status: described(
      OperationStatus,
      "`queued`: not begun; `running`; `completed`: all items have results; `failed`: it was refused or interrupted."
    ),
    total: described(Schema.Int, "Number of items of a batch; 1 for a statement."),
    done: described(Schema.Int, "Number of items with a result, including failed ones."),
    failed: described(Schema.Int, "Number of items that failed."),
    results: Schema.NullOr(Schema.Json).annotate({
      description:
        "Null until the operation ends. A batch has its results in the order of the request, as in `data.results` of its " +
        "endpoint; a statement has its import session. A failed operation has the results of the attempted items."
    }),
    error: Schema.NullOr(OperationError).annotate({ description: "The reason why the operation failed as a whole." }),
    created_at: described(Timestamp, "Time of the request."),
    completed_at: described(Schema.NullOr(Timestamp), "Time at which the operation ended; null before.")
  }).annotate({ identifier: "Operation", description: "Work that continues after its request was answered with 202." })
)
export type Operation = typeof Operation.Type

/** The list omits the results, each of which can be megabytes. */
export const ListedOperation = Schema.Struct(Struct.omit(Operation.fields, ["results"])).annotate({
  identifier: "OperationSummary",
  description: "An operation without its results."
})
export type ListedOperation = typeof ListedOperation.Type

export const operationsQuery = {
  ...pageQuery,
  kind: described(Schema.optionalKey(OperationKind), "Only operations of this kind."),
  status: described(Schema.optionalKey(OperationStatus), "Only operations in this state.")
}
export type OperationsQuery = Schema.Struct.Type<typeof operationsQuery>

export const accepted = HttpApiSchema.WithHeaders(data(Operation).pipe(HttpApiSchema.status(202)), {
  location: Schema.String,
  "preference-applied": Schema.String
})

export const acceptedAs = (operation: Operation) =>
  HttpApiSchema.withHeaders({
    body: operation,
    headers: { location: `/api/v1/operations/${operation.id}`, "preference-applied": respond_async }
  })
const respond_async = "respond-async"

export const preferHeaders = {
  prefer: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`respond-async` (RFC 7240) runs the work in the background: the answer is 202 with an operation, whose " +
        "progress `GET /operations/{id}` reports. It can be combined with `amounts=string`."
    })
  )
}

const quoted = /"(?:[^"\\]|\\.)*"/g

/** True if the header has the preference `respond-async` (RFC 7240, 4.1), with or without a value and parameters. */
export const prefersLater = ({ prefer = "" }: { readonly prefer?: string }): boolean =>
  prefer
    .replaceAll(quoted, "")
    .split(",")
    .some((preference) => /^\s*respond-async\s*(?:$|[=;])/i.test(preference))
