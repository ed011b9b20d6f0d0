import type { OpenApi } from "effect/http-api"
import { accessTable } from "./organizations/access/Access.ts"

/** `group.endpoint` is the operation's id, so the table that decides at run time also says what each one asks. */
const securityOf = (path: string, operation: OpenApi.OpenAPISpecOperation) => {
  const access = accessTable[operation.operationId]
  if (access === undefined) return operation
  const { permissions, scopes } = access
  // The organization is named by its own routes' path, and by the header everywhere else.
  const isInPath = path.startsWith("/api/v1/organizations/{id}")
  const organization = permissions.length === 0 || isInPath ? {} : { organization: [] }
  return {
    ...operation,
    "x-required-permission": permissions.length === 0 ? null : permissions.join(" "),
    security: [
      { oauth2: scopes, ...organization },
      { bearer: [], ...organization }
    ]
  }
}

const scopes = () => {
  const names = new Set(Object.values(accessTable).flatMap(({ scopes }) => scopes))
  return Object.fromEntries([...names].toSorted().map((name) => [name, ""]))
}

/** Gives every operation of the document its security, and the document the schemes they name. */
export const withSecurity = (document: Record<string, unknown>) => {
  // Effect hands the finished document to a transform without its type.
  const spec = document as unknown as OpenApi.OpenAPISpec
  const paths = Object.entries(spec.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, value]) => [method, "operationId" in value ? securityOf(path, value) : value])
    )
  ])
  const securitySchemes = {
    ...spec.components.securitySchemes,
    bearer: { type: "http", scheme: "bearer", description: "Personal access token or organization API token." },
    organization: { type: "apiKey", in: "header", name: "X-Organization-Id" },
    oauth2: {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: "/oauth/authorize",
          tokenUrl: "/oauth/token",
          refreshUrl: "/oauth/token",
          scopes: scopes()
        }
      }
    }
  }
  return { ...spec, paths: Object.fromEntries(paths), components: { ...spec.components, securitySchemes } }
}
