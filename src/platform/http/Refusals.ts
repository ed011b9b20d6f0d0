import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { described } from "../../kernel/Described.ts"

/**
 * Unknown parameters are refused, because ignoring them would return records that the client did not request, or run a
 * `dry_run` for real.
 */
export class UnknownFilter extends Schema.Error<UnknownFilter>("UnknownFilter")(
  {
    ...refusal("UnknownFilter", "unknown_filter"),
    details: described(
      Schema.Struct({
        unknown: described(Schema.Array(Schema.String), "Unknown parameters in the request."),
        filters: described(Schema.Array(Schema.String), "Parameters that the operation supports.")
      }),
      "The parameters."
    )
  },
  {
    httpApiStatus: 422,
    description: "The operation does not support this parameter; `details` contains those that it supports."
  }
) {
  static of(unknown: ReadonlyArray<string>, filters: ReadonlyArray<string>) {
    return new UnknownFilter({
      message: `There is no parameter ${unknown.join(", ")}. The parameters are: ${filters.join(", ")}.`,
      details: { unknown, filters }
    })
  }
}

/** The credential is missing, unknown, expired or revoked (RFC 6750, 3.1). */
export class Unauthenticated extends Schema.Error<Unauthenticated>("Unauthenticated")(
  refusal("Unauthenticated", "unauthenticated"),
  { httpApiStatus: 401, description: "The token is missing, unknown, expired or revoked." }
) {
  static of() {
    return new Unauthenticated({ message: "Unauthenticated." })
  }
}

export class MissingScope extends Schema.Error<MissingScope>("MissingScope")(
  {
    ...refusal("MissingScope", "missing_scope"),
    required_scope: described(Schema.String, "Scope that the token lacks.")
  },
  { httpApiStatus: 403, description: "The token lacks the scope that `required_scope` names." }
) {
  static of(scope: string) {
    return new MissingScope({ message: `The token lacks the scope ${scope}.`, required_scope: scope })
  }
}

/** The scopes of the token suffice, but the member's role does not allow the request. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  {
    ...refusal("Forbidden", "forbidden"),
    required_permission: described(Schema.String, "Permission that the role of the caller lacks.")
  },
  { httpApiStatus: 403, description: "The role of the caller does not allow this." }
) {
  static of(permission: string) {
    return new Forbidden({ message: `Your role does not allow ${permission}.`, required_permission: permission })
  }
}

export class OrganizationRequired extends Schema.Error<OrganizationRequired>("OrganizationRequired")(
  refusal("OrganizationRequired", "organization_required"),
  { httpApiStatus: 400, description: "The header `X-Organization-Id` must name an organization by its id." }
) {
  static of() {
    return new OrganizationRequired({ message: "The X-Organization-Id header must name an organization by its id." })
  }
}

/** The answer is the same for an organization that does not exist and for one that the user or token may not use. */
export class OrganizationForbidden extends Schema.Error<OrganizationForbidden>("OrganizationForbidden")(
  refusal("OrganizationForbidden", "organization_forbidden"),
  { httpApiStatus: 403, description: "The organization does not exist, or the caller has no access to it." }
) {
  static of() {
    return new OrganizationForbidden({ message: "You do not have access to this organization." })
  }
}

export class OrganizationArchived extends Schema.Error<OrganizationArchived>("OrganizationArchived")(
  refusal("OrganizationArchived", "organization_archived"),
  { httpApiStatus: 403, description: "The organization is archived and can only be read." }
) {
  static of() {
    return new OrganizationArchived({ message: "The organization is archived and can only be read." })
  }
}

export class MalformedJson extends Schema.Error<MalformedJson>("MalformedJson")(
  refusal("MalformedJson", "malformed_json"),
  { httpApiStatus: 400, description: "The body of the request is not valid JSON." }
) {
  static of(message = "The request body is not valid JSON.") {
    return new MalformedJson({ message })
  }
}

/** The body is not multipart/form-data, or it is incomplete (RFC 7578). */
export class MalformedMultipart extends Schema.Error<MalformedMultipart>("MalformedMultipart")(
  refusal("MalformedMultipart", "malformed_multipart"),
  { httpApiStatus: 400, description: "The body of the request is not a complete multipart/form-data body." }
) {
  static of() {
    return new MalformedMultipart({ message: "The request body is not a complete multipart/form-data body." })
  }
}

/** An unexpected failure, which only `EdgeAnswers.ts` sends. Endpoints declare it where clients must expect it. */
export class ServerError extends Schema.Error<ServerError>("ServerError")(
  {
    ...refusal("ServerError", "server_error"),
    message: described(Schema.String.annotate({ examples: ["Server Error"] }), "Always the same two words."),
    request_id: described(
      Schema.String.annotate({ examples: ["01939d2c-7e5b-7c3f-9f0a-0d7f5a1f2c11"] }),
      "Id of the request, for a report to the operator."
    )
  },
  { httpApiStatus: 500, description: "Something unexpected went wrong; report the `request_id`." }
) {}
