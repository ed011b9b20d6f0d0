import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { toSave } from "../platform/http/answers/Download.ts"
import { paginate } from "../platform/http/Pagination.ts"
import { Archive } from "./Archive.ts"
import { ArchiveApi } from "./ArchiveApi.ts"
import { extensionOf } from "./objects/ArchiveObject.ts"

export const ArchiveHttp = HttpApiBuilder.group(
  contract.add(ArchiveApi),
  "archive",
  Effect.fn(function* (handlers) {
    const archive = yield* Archive
    return handlers
      .handle("state", () => archive.state)
      .handle("documents", ({ query }) => archive.list(query).pipe(paginate(query)))
      .handle("download", ({ params }) =>
        Effect.map(archive.download(params.id), ({ object, ...proven }) => {
          const { content_type, id } = object
          return toSave({ ...proven, content_type, file_name: `${id}.${extensionOf(content_type)}` })
        })
      )
  })
)
