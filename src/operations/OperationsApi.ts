import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data, page } from "../kernel/Envelope.ts"
import { inText, OperationId } from "../kernel/Ids.ts"
import { NotFound } from "../kernel/Refusal.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { ListedOperation, Operation, operationsQuery } from "./Operation.ts"

export class OperationsApi extends HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("list", "/", { query: operationsQuery, success: page(ListedOperation) }),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: inText(OperationId) },
      success: data(Operation),
      error: NotFound
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/operations") {}
