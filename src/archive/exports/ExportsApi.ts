import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { ExportId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { optionalBody } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "../ArchiveErrors.ts"
import { ExportOrder } from "../objects/ArchiveObject.ts"
import { Export, zip_content_type } from "./Export.ts"
import { ExportExpired, ExportInProgress, NothingToExport, TooManyObjects } from "./ExportErrors.ts"

const params = { id: inText(ExportId) }

/** Spec, Endpoints: Fiscal archive, exports. */
export class ExportsApi extends HttpApiGroup.make("exports")
  .add(
    // An empty body means the whole archive (spec, Archive rules).
    HttpApiEndpoint.post("create", "/", {
      payload: optionalBody(ExportOrder),
      success: data(Export).pipe(HttpApiSchema.status(202)),
      error: [ValidationFailed, ExportInProgress, NothingToExport, TooManyObjects]
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Export), error: NotFound }),
    HttpApiEndpoint.get("download", "/:id/download", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: zip_content_type }),
      error: [NotFound, ExportExpired, ArchiveIncident, StorageUnavailable]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/archive/exports") {}
