import { byName } from "../kernel/Text.ts"
import { isNode, nameIn, type Node } from "./Schemas.ts"

const propertiesOf = (schema: unknown): Node =>
  isNode(schema) && isNode(schema["properties"]) ? schema["properties"] : {}

/** Returns the only value of a property, or the first one of its examples. */
const shownValue = (property: unknown): unknown =>
  isNode(property) ? [property["enum"], property["examples"]].flat().find((value) => value !== undefined) : undefined

const requiredOf = (schema: Node): ReadonlyArray<string> =>
  Array.isArray(schema["required"]) ? schema["required"].map(String) : []

/** The fields that name a refusal: `code` in answers of the API, `error` in answers of OAuth. */
const codes = ["code", "error"]

const hasFieldsOf = (schema: unknown, value: unknown): boolean =>
  !isNode(schema) ||
  requiredOf(schema).every(
    (field) => isNode(value) && field in value && hasFieldsOf(propertiesOf(schema)[field], value[field])
  )

const isExampleOf = (schema: Node, example: Node): boolean => {
  const properties = propertiesOf(schema)
  const named = codes.filter((field) => field in properties)
  if (named.length === 0) return false
  return named.every((field) => shownValue(properties[field]) === example[field]) && hasFieldsOf(schema, example)
}

/** Makes an example of a refusal that no test can cause, for instance of a defect. */
const derived = (schema: Node): Node | undefined => {
  const properties = propertiesOf(schema)
  const fields = requiredOf(schema).map((field) => {
    const value = shownValue(properties[field])
    return [field, value === undefined && field === "message" ? schema["description"] : value] as const
  })
  return fields.every(([, value]) => value !== undefined) ? Object.fromEntries(fields) : undefined
}

const formsOf = (response: unknown): ReadonlyArray<string> => {
  const schema = isNode(response) ? mediaOf(response)["schema"] : undefined
  const forms = isNode(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema]
  return forms.flatMap((form) => (isNode(form) && typeof form["$ref"] === "string" ? [nameIn(form["$ref"])] : []))
}

const json = "application/json"

const mediaOf = (response: Node): Node => {
  const media = isNode(response["content"]) ? response["content"][json] : undefined
  return isNode(media) ? media : {}
}

const isRefused = (status: string) => !/^[23]/.test(status)

/** Adds to each answer of an operation an example of every refusal that the answer may contain. */
export const refusalExamples = (schemas: Node, recorded: ReadonlyArray<Node>) => {
  const examples = new Map<string, Node>()
  const exampleNamed = (name: string) => {
    const schema = schemas[name]
    if (!isNode(schema)) return undefined
    const value = recorded.find((example) => isExampleOf(schema, example)) ?? derived(schema)
    if (value !== undefined) examples.set(name, { value })
    return value
  }
  const illustrated = (response: unknown) => {
    const names = formsOf(response).filter((name) => exampleNamed(name) !== undefined)
    if (!isNode(response) || names.length === 0) return response
    const shown = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
    return { ...response, content: { [json]: { ...mediaOf(response), examples: shown } } }
  }
  return {
    add: (responses: unknown): Node =>
      Object.fromEntries(
        Object.entries(isNode(responses) ? responses : {}).map(([status, response]) => [
          status,
          isRefused(status) ? illustrated(response) : response
        ])
      ),
    /** The examples that the answers refer to. The list is complete after the last call of `add`. */
    components: (): Node => Object.fromEntries([...examples].toSorted(byName))
  }
}
