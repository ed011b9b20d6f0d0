import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data, page } from "../kernel/Envelope.ts"
import { ArchiveObjectId } from "../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { StorageUnavailable } from "../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "./ArchiveErrors.ts"
import { ArchiveState } from "./ArchiveState.ts"
import { ArchiveObject, indexQuery, object_content_types } from "./objects/ArchiveObject.ts"

/** Spec, Endpoints: Fiscal archive. */
export class ArchiveApi extends HttpApiGroup.make("archive")
  .add(
    HttpApiEndpoint.get("state", "/", { success: data(ArchiveState) }),
    HttpApiEndpoint.get("documents", "/documents", {
      query: indexQuery,
      success: page(ArchiveObject),
      error: ValidationFailed
    }),
    HttpApiEndpoint.get("download", "/documents/:id/download", {
      params: { id: ArchiveObjectId },
      success: HttpApiSchema.StreamUint8Array({ contentType: object_content_types }),
      error: [NotFound, ArchiveIncident, StorageUnavailable]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/archive") {}
