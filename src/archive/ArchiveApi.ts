import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data, page } from "../kernel/Envelope.ts"
import { ArchiveObjectId } from "../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { operation, tag } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { StorageUnavailable } from "../platform/storage/StorageUnavailable.ts"
import { ArchiveIncident } from "./ArchiveErrors.ts"
import { ArchiveState } from "./objects/ArchiveState.ts"
import { ArchiveObject, indexQuery, object_content_types } from "./objects/ArchiveObject.ts"

export class ArchiveApi extends HttpApiGroup.make("archive")
  .annotateMerge(
    tag("Archive", "The fiscal archive: the exact bytes of issued documents and of their exchange with networks.")
  )
  .add(
    HttpApiEndpoint.get("state", "/", { success: data(ArchiveState) }).annotateMerge(
      operation(
        "Get the state of the archive",
        "Returns whether the archive is in use, its size, and when its integrity was last proven."
      )
    ),
    HttpApiEndpoint.get("documents", "/documents", {
      query: indexQuery,
      success: page(ArchiveObject),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List archived objects",
        "Returns the archived objects, most recently archived first. A document has several: its PDF, its XML, the exchange " +
          "with the network."
      )
    ),
    HttpApiEndpoint.get("download", "/documents/:id/download", {
      params: { id: ArchiveObjectId },
      success: HttpApiSchema.StreamUint8Array({ contentType: object_content_types }),
      error: [NotFound, ArchiveIncident, StorageUnavailable]
    }).annotateMerge(
      operation(
        "Download an archived object",
        "Returns exactly the archived bytes, whose SHA-256 is in the list. If they do not match their " +
          "fingerprint, the answer is 503 `archive_integrity` and nothing is sent. Downloads are recorded in the " +
          "audit chain."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/archive") {}
