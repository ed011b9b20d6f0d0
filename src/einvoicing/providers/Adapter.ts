import { Context, Effect, Schema } from "effect"
import { textOf } from "../../kernel/Described.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { fieldErrors } from "../../platform/http/RequestValidation.ts"
import type { ProviderCode } from "./Network.ts"
import type { Provider } from "./Provider.ts"

/** Settings as an operator writes them; some are secrets. */
export const Settings = Schema.Record(Schema.String, Schema.String)
export type Settings = typeof Settings.Type

export const HttpUrl = Schema.String.check(
  Schema.makeFilter((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), { message: "must be a URL." })
)

export const Setting = Schema.Struct({ name: Schema.String, description: Schema.String, required: Schema.Boolean })

export interface Adapter {
  /** The name by which an operator chooses the adapter, such as `recommand`. */
  readonly code: string
  readonly network: ProviderCode
  readonly name: string
  readonly settings: ReadonlyArray<typeof Setting.Type>
  /** Returns the account at the provider, which belongs to one organization only. */
  readonly account: (settings: Settings) => Effect.Effect<string, ValidationFailed>
  /** Makes the provider of one organization. Refuses settings that are missing or malformed. */
  readonly connect: (organization_id: OrganizationId, settings: Settings) => Effect.Effect<Provider, ValidationFailed>
}

interface Definition<S extends Schema.Struct<Schema.Struct.Fields>> {
  readonly code: string
  readonly network: ProviderCode
  readonly name: string
  /** Each field decodes a text, and has a description for operators (`described`). */
  readonly settings: S & Schema.ConstraintDecoder<S["Type"]>
  readonly account: (settings: S["Type"]) => string
  readonly connect: (organization_id: OrganizationId, settings: S["Type"]) => Provider
}

export const adapter = <S extends Schema.Struct<Schema.Struct.Fields>>({
  account,
  connect,
  settings,
  ...names
}: Definition<S>): Adapter => {
  const decodeAll = Schema.decodeUnknownEffect(settings, { errors: "all" })
  const decode = (given: Settings) =>
    decodeAll(given).pipe(Effect.mapError(({ issue }) => ValidationFailed.of(fieldErrors(issue))))
  return {
    ...names,
    settings: Object.entries(settings.fields).map(([name, field]) => ({
      name,
      description: textOf(field),
      required: field.ast.context?.isOptional !== true
    })),
    account: (given) => Effect.map(decode(given), account),
    connect: (organization_id, given) => Effect.map(decode(given), (decoded) => connect(organization_id, decoded))
  }
}

export class Adapters extends Context.Service<Adapters, ReadonlyArray<Adapter>>()(
  "invoicing/einvoicing/providers/Adapter/Adapters"
) {}
