import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { Directory } from "./Directory.ts"
import { DirectoryApi } from "./DirectoryApi.ts"

export const DirectoryHttp = HttpApiBuilder.group(
  contract.add(DirectoryApi),
  "einvoicingDirectory",
  Effect.fn(function* (handlers) {
    const directory = yield* Directory
    return handlers.handleAll({
      requirements: ({ query }) => directory.requirements(query.country_code, query.nature ?? "company"),
      networks: () => directory.networks,
      providers: () => directory.providers,
      search: ({ query }) => directory.search(query)
    })
  })
)
