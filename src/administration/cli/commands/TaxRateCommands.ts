import { Command, Flag } from "effect/cli"
import { tax_rates_max } from "../../../billing/lines/LineItem.ts"
import { TaxCategory } from "../../../billing/lines/Tax.ts"
import { organization_id, perform } from "../Root.ts"

const name = Flag.String("name")
const rate = Flag.String("rate").pipe(Flag.withDescription("Percent, e.g. 21 or 5.5"))
const category = Flag.Literals("category", TaxCategory.literals).pipe(
  Flag.withDescription("UNCL 5305 code; S is a standard or reduced rate")
)
const country = Flag.String("country").pipe(
  Flag.withDescription("Country of consumption of a One Stop Shop rate, e.g. DE"),
  Flag.optional
)
const exemption_code = Flag.String("exemption-code").pipe(
  Flag.withDescription("VATEX code of a rate without tax, e.g. VATEX-EU-132"),
  Flag.optional
)

const create = Command.make(
  "create",
  {
    organization_id,
    name,
    rate,
    category: category.pipe(Flag.withDefault("S")),
    country,
    exemption_code,
    is_default: Flag.Boolean("default").pipe(
      Flag.withDescription("Use the rate on every line without a rate"),
      Flag.withDefault(false)
    )
  },
  (flags) => perform("CreateTaxRate", flags)
).pipe(Command.withDescription("Add a tax rate to an organization"))

const update = Command.make(
  "update",
  {
    organization_id,
    tax_rate_id: Flag.Int("tax-rate").pipe(Flag.withDescription("Id of the tax rate")),
    name: name.pipe(Flag.optional),
    rate: rate.pipe(Flag.optional),
    category: category.pipe(Flag.optional),
    country,
    exemption_code,
    archived: Flag.Boolean("archived").pipe(
      Flag.withDescription("Exclude the rate from new documents; --no-archived allows it again"),
      Flag.optional
    )
  },
  (flags) => perform("UpdateTaxRate", flags)
).pipe(Command.withDescription("Change a tax rate; documents keep their copy of it"))

const setDefaults = Command.make(
  "set-defaults",
  {
    organization_id,
    tax_rate_ids: Flag.Int("tax-rate").pipe(
      Flag.withDescription("Id of a tax rate; may be repeated, or left out for none"),
      Flag.between(1, tax_rates_max),
      Flag.withDefault([])
    )
  },
  (flags) => perform("SetDefaultTaxRates", flags)
).pipe(Command.withDescription("Set the rates of every line without a rate"))

const list = Command.make("list", { organization_id }, (flags) => perform("ListTaxRates", flags)).pipe(
  Command.withDescription("List the tax rates of an organization")
)

export const taxRate = Command.make("tax-rate").pipe(
  Command.withDescription("Tax rates"),
  Command.withSubcommands([create, update, setDefaults, list])
)
