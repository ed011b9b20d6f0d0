import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { answerStatic, staticText } from "../platform/http/answers/StaticText.ts"
import { atFirstUse } from "../platform/packages/AtFirstUse.ts"

const yaml = atFirstUse("yaml")

/** Serves the OpenAPI document as JSON and as YAML. The first request builds the document, which is then cached. */
export const referenceRoutes = (document: () => unknown) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const built = yield* Effect.cached(Effect.sync(document))
      const served = (path: "/openapi.json" | "/openapi.yaml", type: string, print: (document: unknown) => string) =>
        Effect.gen(function* () {
          const text = yield* Effect.cached(Effect.map(built, (document) => staticText(print(document), type)))
          yield* router.add("GET", path, Effect.flatMap(text, answerStatic))
        })
      yield* served("/openapi.json", "application/json; charset=utf-8", (document) => JSON.stringify(document))
      yield* served("/openapi.yaml", "application/yaml; charset=utf-8", (document) =>
        yaml().stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
      )
    })
  )
