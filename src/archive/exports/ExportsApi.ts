import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { ExportId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, optionalBody, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "../ArchiveErrors.ts"
import { ExportOrder } from "../objects/ArchiveObject.ts"
import { Export, zip_content_type } from "./Export.ts"
import { ExportExpired, ExportInProgress, NothingToExport, TooManyObjects } from "./ExportErrors.ts"

const params = { id: inText(ExportId) }

export class ExportsApi extends HttpApiGroup.make("exports")
  .annotateMerge(tag("Archive exports", "ZIP files of the archive with all evidence to verify it."))
  .add(
    // An empty body means the whole archive.
    HttpApiEndpoint.post("create", "/", {
      payload: optionalBody(ExportOrder),
      success: data(Export).pipe(HttpApiSchema.status(202)),
      error: [ValidationFailed, ExportInProgress, NothingToExport, TooManyObjects]
    }).annotateMerge(
      operation(
        "Order an export of the archive",
        "Fixes the set of objects at this moment and builds a ZIP file in the background. A second request while " +
          "one is being built is refused with 409 `export_in_progress`.",
        "archive.export_completed"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Export), error: NotFound }).annotateMerge(
      operation("Get an export", "Returns the status; `download_url` is set once the file can be fetched.")
    ),
    HttpApiEndpoint.get("download", "/:id/download", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: zip_content_type }),
      error: [NotFound, ExportExpired, ArchiveIncident, StorageUnavailable]
    }).annotateMerge(
      operation(
        "Download an export",
        "Returns the ZIP file once the export is `completed`, and 404 before that. After its expiry, by default seven days, " +
          "the answer is 410."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/archive/exports") {}
