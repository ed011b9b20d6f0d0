import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data, page } from "../../kernel/Envelope.ts"
import { inText, TaxRateId } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { TaxRate, taxRatesQuery } from "./TaxRate.ts"

/** Contract section 21: every member reads the tax rates; the administration writes them. */
export class TaxRatesApi extends HttpApiGroup.make("taxRates")
  .add(
    HttpApiEndpoint.get("list", "/", { query: taxRatesQuery, success: page(TaxRate), error: ValidationFailed }),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: inText(TaxRateId) },
      success: data(TaxRate),
      error: NotFound
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/tax-rates") {}
