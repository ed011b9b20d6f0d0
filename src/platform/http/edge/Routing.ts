import { Context, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { KeepsIdempotencyKeys, UsesOtherSystems } from "../Contract.ts"

const id_pattern = /^[1-9]\d{0,15}$/
const organization_path = /^\/api\/v1\/organizations\/([^/]+)/

/** Decodes the path as the router does: `/api/v1/%6Frganizations` reaches an organization's routes, too. */
export const routedPath = (url: string): string => {
  const path = url.split("?", 1)[0] ?? ""
  if (!path.includes("%")) return path
  // The router has no route for a path that cannot be decoded.
  return Result.getOrElse(
    Result.try(() => decodeURI(path)),
    () => ""
  )
}

/** True if the URL has a character at which the router would cut the path, and then serve another path. */
export const isCutByRouter = (url: string): boolean => /^[^?]*[;#]/.test(url)

/** The routes of an organization have its id in the path; all other routes have it in a header. */
export const namedOrganization = (request: HttpServerRequest.HttpServerRequest) => {
  const inPath = organization_path.exec(routedPath(request.url))?.[1]
  const named = inPath ?? request.headers["x-organization-id"]
  const number = named !== undefined && id_pattern.test(named) ? Number(named) : Number.NaN
  const id = Number.isSafeInteger(number) ? number : null
  if (inPath !== undefined) return { organization: "path", id } as const
  if (named === undefined) return { organization: "absent", id } as const
  return { organization: id === null ? "malformed" : "header", id } as const
}

interface Route {
  readonly pattern: RegExp
  readonly method: string
  readonly keepsKeys: boolean
  readonly usesOtherSystems: boolean
  readonly takesFiles: boolean
}

/** Returns the contract's routes that match an address, whatever their method. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const pattern = new RegExp(`^${endpoint.path.replace(/:[^/]+/g, "[^/]+")}/?$`)
      const keepsKeys = Context.get(endpoint.annotations, KeepsIdempotencyKeys)
      const usesOtherSystems = Context.get(endpoint.annotations, UsesOtherSystems)
      const takesFiles = endpoint.payload.has("multipart/form-data")
      routes.push({ pattern, method: endpoint.method, keepsKeys, usesOtherSystems, takesFiles })
    }
  })
  return (url: string) => {
    const path = routedPath(url)
    return routes.filter((route) => route.pattern.test(path))
  }
}
