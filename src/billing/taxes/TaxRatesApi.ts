import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data, page } from "../../kernel/Envelope.ts"
import { inText, TaxRateId } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { TaxRate, taxRatesQuery } from "./TaxRate.ts"

/** Only the administration, outside this API, changes tax rates (rules/organizations.md, Tax rates). */
export class TaxRatesApi extends HttpApiGroup.make("taxRates")
  .annotateMerge(tag("Tax rates", "The tax rates of the organization, which an administrator manages."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: taxRatesQuery,
      success: page(TaxRate),
      error: ValidationFailed
    }).annotateMerge(operation("List tax rates", "Returns the tax rates whose ids the lines of documents name.")),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: inText(TaxRateId) },
      success: data(TaxRate),
      error: NotFound
    }).annotateMerge(operation("Get a tax rate", "Returns one tax rate."))
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/tax-rates") {}
