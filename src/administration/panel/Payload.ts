import { Option, Schema } from "effect"

const Scalar = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  maxLength: Schema.optionalKey(Schema.Int),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  description: Schema.optionalKey(Schema.String)
})

const Property = Schema.Struct({
  ...Scalar.fields,
  anyOf: Schema.optionalKey(Schema.Array(Scalar)),
  allOf: Schema.optionalKey(Schema.Array(Scalar))
})

const Entry = Schema.Struct({
  properties: Schema.Struct({ key: Schema.Struct({ enum: Schema.Tuple([Schema.String]) }), value: Property })
})
const Entries = Schema.Struct({ items: Schema.Struct({ anyOf: Schema.Array(Entry) }) })

const Payload = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  required: Schema.optionalKey(Schema.Array(Schema.String))
})

export interface Facts extends Omit<typeof Scalar.Type, "$ref"> {
  readonly required: boolean
  readonly nullable: boolean
}

const decodePayload = Schema.decodeUnknownSync(Payload)
const decodeProperty = Schema.decodeUnknownOption(Property)
const decodeEntries = Schema.decodeUnknownOption(Entries)

/** Reads from a schema what a form shows about the fields of a payload and about the entries of its lists. */
export const payloadFacts = (schema: Schema.Top) => {
  const { definitions, schema: written } = Schema.toJsonSchemaDocument(schema)
  const named = ($ref: string) => definitions[$ref.replace("#/$defs/", "")]
  const { $ref } = decodePayload(written)
  const { properties = {}, required = [] } = decodePayload($ref === undefined ? written : named($ref))

  const unknown: typeof Property.Type = {}
  const factsOf = ({ allOf = [], anyOf, ...property }: typeof Property.Type, required: boolean): Facts => {
    const types = anyOf ?? [property]
    const [{ $ref, ...first } = {}] = types.filter(({ type }) => type !== "null")
    // Omits the description of a shared type, because it does not explain this field.
    const { description: _, ...shared } =
      $ref === undefined ? {} : Option.getOrElse(decodeProperty(named($ref)), () => unknown)
    const description = allOf.map((one) => one.description).find((text) => text !== undefined)
    return {
      ...shared,
      ...first,
      ...(description === undefined ? {} : { description }),
      required,
      nullable: types.some(({ type }) => type === "null")
    }
  }

  return {
    names: Object.keys(properties),
    of: (name: string): Facts =>
      factsOf(
        Option.getOrElse(decodeProperty(properties[name]), () => unknown),
        required.includes(name)
      ),
    entries: (list: string): ReadonlyMap<string, Facts> => {
      const { items } = Option.getOrThrow(decodeEntries(properties[list]))
      return new Map(items.anyOf.map(({ properties: { key, value } }) => [key.enum[0], factsOf(value, false)]))
    }
  }
}
