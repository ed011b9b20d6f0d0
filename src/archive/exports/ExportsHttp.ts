import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { toSave } from "../../platform/http/answers/Download.ts"
import { filtersOf } from "../objects/ArchiveObject.ts"
import { zip_content_type } from "./Export.ts"
import { Exports } from "./Exports.ts"
import { ExportsApi } from "./ExportsApi.ts"

export const ExportsHttp = HttpApiBuilder.group(
  contract.add(ExportsApi),
  "exports",
  Effect.fn(function* (handlers) {
    const exports = yield* Exports
    return handlers
      .handle("create", ({ payload }) => exports.request(filtersOf(payload ?? {})))
      .handle("get", ({ params }) => exports.get(params.id))
      .handle("download", ({ params }) =>
        Effect.map(exports.download(params.id), (proven) =>
          toSave({ ...proven, content_type: zip_content_type, file_name: `archive-export-${params.id}.zip` })
        )
      )
  })
)
