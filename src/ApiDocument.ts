import { Context, Schema, SchemaAST } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { Checkpoint } from "./archive/checkpoints/Checkpoint.ts"
import { scopeDescriptions } from "./identity/Scope.ts"
import { amountSchemas } from "./kernel/Money.ts"
import { shown_as } from "./kernel/Described.ts"
import { accessTable } from "./organizations/access/Access.ts"
import { KeepsIdempotencyKeys } from "./platform/http/Contract.ts"
import { edge_codes } from "./platform/http/server/EdgeCode.ts"
import examples from "./reference/examples.json" with { type: "json" }
import refused from "./reference/refusals.json" with { type: "json" }
import { completed, sourceName } from "./reference/Document.ts"
import { webhookHeaders, webhooks, webhookSchemas } from "./reference/Webhooks.ts"
import { catalog } from "./webhooks/events/EventCatalog.ts"

const text = { type: "string" }

const refusal = {
  type: "object",
  properties: {
    success: { type: "boolean", enum: [false], description: "Always `false`." },
    message: {
      ...text,
      description: "Description of the error, in one English sentence.",
      examples: ["Method not allowed."]
    },
    code: { ...text, enum: edge_codes, description: "Stable code of the refusal, for programs." }
  },
  required: ["success", "message", "code"]
}

const schemas = {
  ...amountSchemas,
  ...webhookSchemas,
  Refusal: { ...refusal, description: "A refusal without details: nothing was changed." },
  TooManyRequests: {
    type: "object",
    properties: { message: { type: "string", enum: ["Too Many Attempts."], description: "Always the same sentence." } },
    required: ["message"],
    description: "The rate limit is exceeded."
  }
}

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "A personal access token, or an API token of an organization, which names its organization by itself. Both are " +
      "made on the account page or by an administrator and are shown once."
  },
  organization: {
    type: "apiKey",
    in: "header",
    name: "X-Organization-Id",
    description:
      "Id of the organization that the request is about. An API token of an organization does not need this header, " +
      "and is refused with another organization's id."
  },
  oauth2: {
    type: "oauth2",
    description: "An access token of the authorization code grant with PKCE (S256), valid for an hour.",
    flows: {
      authorizationCode: {
        authorizationUrl: "/oauth/authorize",
        tokenUrl: "/oauth/token",
        refreshUrl: "/oauth/token",
        scopes: scopeDescriptions
      }
    }
  }
}

/** A checkpoint of an audit chain as the event `archive.checkpoint` sends it: its `id` is the checkpoint's number. */
const AnnouncedCheckpoint = Schema.Struct({ ...Checkpoint.fields, id: Checkpoint.fields.number }).annotate({
  identifier: "Checkpoint",
  description: "A signed statement of the head of the audit chain."
})

/** The only endpoint that handles an idempotency key itself. */
const keyed_by_itself = "receipts.upload"

/**
 * Collects what the schemas do not say: which operations accept an idempotency key, which of them answer 404 by a rule of
 * their own, and why requests are refused.
 */
const facts = () => {
  const keyed = new Set<string>([keyed_by_itself])
  const missing = new Set<string>()
  const refusals: Record<string, string> = {}
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group }) => {
      const isKeyed = endpoint.path.startsWith("/api/") && !Context.get(endpoint.annotations, KeepsIdempotencyKeys)
      const operationId = `${group.identifier}.${endpoint.identifier}`
      if (isKeyed) keyed.add(operationId)
      if ([...endpoint.error].some(({ ast }) => SchemaAST.resolveIdentifier(ast) === "NotFound"))
        missing.add(operationId)
      for (const { ast } of [...errors.values()].flat()) {
        const name = SchemaAST.resolveIdentifier(ast)
        const description = SchemaAST.resolveDescription(ast)
        if (name !== undefined && description !== undefined) refusals[name] = description
      }
    }
  })
  return { keyed, missing, refusals }
}

const info = {
  license: { name: "MIT", identifier: "MIT" },
  contact: { name: "The operator of this installation" }
}

/** Builds the OpenAPI 3.1 document of the service. Building takes half a second, so callers cache the result. */
export const apiDocument = () =>
  completed(
    OpenApi.fromApi(Api.annotate(HttpApi.AdditionalSchemas, [AnnouncedCheckpoint]), {
      referencePolicy: ({ identifier }) => sourceName(identifier),
      includeAnnotationKey: (key) => key === shown_as || key === "deprecated"
    }),
    {
      access: accessTable,
      examples,
      refused,
      schemas,
      parameters: webhookHeaders,
      securitySchemes,
      info,
      webhooks: webhooks(catalog),
      ...facts()
    }
  )
