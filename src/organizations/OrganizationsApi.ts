import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data, page, pageQuery } from "../kernel/Envelope.ts"
import { inText, OrganizationId } from "../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { Line } from "../kernel/Text.ts"
import { operation, tag } from "../platform/http/Contract.ts"
import { Forbidden, OrganizationArchived } from "../platform/http/Refusals.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authentication, Authorization } from "../platform/http/Security.ts"
import { Organization, OrganizationChanges } from "./profile/Organization.ts"
import { CurrencyLocked, LogoUnavailable } from "./profile/OrganizationErrors.ts"
import { described } from "../kernel/Described.ts"

const PngFile = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/png" }))

const params = { id: inText(OrganizationId) }

export class OrganizationsApi extends HttpApiGroup.make("organizations")
  .annotateMerge(tag("Organizations", "The organizations that the caller belongs to, with their data and settings."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery,
        search: described(
          Schema.optionalKey(Line),
          "Text to look for in names, tax numbers and registration numbers, ignoring case and accents."
        )
      },
      success: page(Organization)
    })
      .annotateMerge(operation("List organizations", "Returns the organizations that the caller belongs to."))
      .middleware(RequestValidation)
      .middleware(Authentication),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Organization), error: NotFound })
      .annotateMerge(operation("Get an organization", "Returns one organization with its settings."))
      .middleware(RequestValidation)
      .middleware(Authorization),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: OrganizationChanges,
      success: data(Organization),
      error: [
        NotFound,
        ValidationFailed,
        CurrencyLocked,
        LogoUnavailable,
        PreconditionFailed,
        Forbidden,
        OrganizationArchived
      ]
    })
      .annotateMerge(
        operation(
          "Update an organization",
          "Changes the fields that the body has. `country` can never be changed, and `currency` no longer once " +
            "a document exists (422 `currency_locked`).",
          "organization.updated"
        )
      )
      .middleware(RequestValidation)
      .middleware(Authorization),
    HttpApiEndpoint.get("logo", "/:id/logo", { params, success: PngFile, error: NotFound })
      .annotateMerge(operation("Get the logo", "Returns the organization's logo as PNG, and 404 without a logo."))
      .middleware(RequestValidation)
      .middleware(Authorization)
  )
  .prefix("/api/v1/organizations") {}
