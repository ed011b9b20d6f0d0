import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data, page } from "../kernel/Envelope.ts"
import { inText, OperationId } from "../kernel/Ids.ts"
import { NotFound } from "../kernel/Refusal.ts"
import { operation, tag } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { ListedOperation, Operation, operationsQuery } from "./Operation.ts"

export class OperationsApi extends HttpApiGroup.make("operations")
  .annotateMerge(tag("Operations", "Progress and results of work that runs in the background."))
  .add(
    HttpApiEndpoint.get("list", "/", { query: operationsQuery, success: page(ListedOperation) }).annotateMerge(
      operation(
        "List operations",
        "Returns the work that was requested with `Prefer: respond-async` in the last seven days, newest first, " +
          "without results."
      )
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: inText(OperationId) },
      success: data(Operation),
      error: NotFound
    }).annotateMerge(
      operation("Get an operation", "Returns the progress of the work, and its results once it has ended.")
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/operations") {}
