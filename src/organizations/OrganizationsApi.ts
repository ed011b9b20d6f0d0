import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data, page, pageQuery } from "../kernel/Envelope.ts"
import { inText, OrganizationId } from "../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { Line } from "../kernel/Text.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authentication, Authorization } from "../platform/http/Security.ts"
import { Organization, OrganizationChanges } from "./Organization.ts"
import { CurrencyLocked, LogoUnavailable } from "./OrganizationErrors.ts"

const PngFile = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/png" }))

const params = { id: inText(OrganizationId) }

/** Implements the spec's "Endpoints: Organizations". Only the list belongs to no single organization. */
export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, search: Schema.optionalKey(Line) },
      success: page(Organization)
    })
      .middleware(RequestValidation)
      .middleware(Authentication),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Organization), error: NotFound })
      .middleware(RequestValidation)
      .middleware(Authorization),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: OrganizationChanges,
      success: data(Organization),
      error: [NotFound, ValidationFailed, CurrencyLocked, LogoUnavailable, PreconditionFailed]
    })
      .middleware(RequestValidation)
      .middleware(Authorization),
    HttpApiEndpoint.get("logo", "/:id/logo", { params, success: PngFile, error: NotFound })
      .middleware(RequestValidation)
      .middleware(Authorization)
  )
  .prefix("/api/v1/organizations") {}
