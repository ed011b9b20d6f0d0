/** Writes the contract's OpenAPI document to test/contract/openapi.json. */
import { OpenApi } from "effect/http-api"
import { writeFileSync } from "node:fs"
import { Api } from "../src/Api.ts"

export const openApiText = (): string => JSON.stringify(OpenApi.fromApi(Api), null, 1) + "\n"

if (import.meta.main) writeFileSync("test/contract/openapi.json", openApiText())
