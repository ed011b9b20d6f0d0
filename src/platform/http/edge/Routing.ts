import { Context, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { KeepsIdempotencyKeys, WorksOutside } from "../Contract.ts"

const id_pattern = /^[1-9]\d{0,8}$/
const organization_path = /^\/api\/v1\/organizations\/([^/]+)/

/** The path as the router reads it: `/api/v1/%6Frganizations` reaches an organization's routes, too. */
const routedPath = (url: string): string => {
  const path = url.split("?", 1)[0] ?? ""
  if (!path.includes("%")) return path
  // The router knows no route for what cannot be decoded.
  return Result.getOrElse(
    Result.try(() => decodeURI(path)),
    () => ""
  )
}

/** The router would leave out whatever follows these characters in a path, and answer for another one. */
export const isCutByRouter = (url: string): boolean => /^[^?]*[;#]/.test(url)

/** An organization is addressed by the path of its own routes, and by the header everywhere else. */
export const namedOrganization = (request: HttpServerRequest.HttpServerRequest) => {
  const inPath = organization_path.exec(routedPath(request.url))?.[1]
  const named = inPath ?? request.headers["x-organization-id"]
  const id = named !== undefined && id_pattern.test(named) ? Number(named) : null
  if (inPath !== undefined) return { organization: "path", id } as const
  if (named === undefined) return { organization: "absent", id } as const
  return { organization: id === null ? "malformed" : "header", id } as const
}

interface Route {
  readonly pattern: RegExp
  readonly method: string
  readonly keepsKeys: boolean
  readonly worksOutside: boolean
}

/** The contract's routes that an address matches, whatever their method. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const pattern = new RegExp(`^${endpoint.path.replace(/:[^/]+/g, "[^/]+")}/?$`)
      const keepsKeys = Context.get(endpoint.annotations, KeepsIdempotencyKeys)
      const worksOutside = Context.get(endpoint.annotations, WorksOutside)
      routes.push({ pattern, method: endpoint.method, keepsKeys, worksOutside })
    }
  })
  return (url: string) => {
    const path = routedPath(url)
    return routes.filter((route) => route.pattern.test(path))
  }
}
