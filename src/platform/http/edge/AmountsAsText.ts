import { BigDecimal, type SchemaAST } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { type CurrencyCode, exponentOf, isCurrency } from "../../../kernel/Currency.ts"
import { formatAmount, isAmountSchema } from "../../../kernel/Money.ts"

/** The name of a preference is case-insensitive, and its value may be quoted (RFC 7240, 2). */
const preference = /(?:^|[,;\s])amounts\s*=\s*("?)string\1(?:$|[,;\s])/i

/** A property is identified by its name and its parent's: `data.total` is an amount, `meta.total` is a count. */
const keyOf = (holder: string, name: string) => `${holder}.${name}`

/** Property of an event with what GET answers as `data`. The schema of an event does not say what its record contains. */
const attributes = "attributes"
const data = "data"

/** Collects the names of properties that are amounts, and marks those that are counts in another answer. */
const amountNames = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const names = new Set<string>()
  const counts = new Set<string>()
  const seen = new Map<SchemaAST.AST, Set<string>>()
  const visit = (ast: SchemaAST.AST, holder: string): void => {
    const holders = seen.get(ast) ?? new Set()
    if (holders.has(holder)) return
    seen.set(ast, holders.add(holder))
    for (const link of ast.encoding ?? []) visit(link.to, holder)
    if (ast._tag === "Objects") {
      for (const { name, type } of ast.propertySignatures) {
        if (isAmount(type)) names.add(keyOf(holder, String(name)))
        else if (type._tag === "Number") counts.add(keyOf(holder, String(name)))
        visit(type, String(name))
      }
    }
    if (ast._tag === "Arrays") for (const element of [...ast.elements, ...ast.rest]) visit(element, holder)
    if (ast._tag === "Union") for (const member of ast.types) visit(member, holder)
  }
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ errors, successes }) => {
      for (const schema of [...successes.values(), ...errors.values()].flat()) visit(schema.ast, "")
    }
  })
  return { names, ambiguous: new Set([...names].filter((name) => counts.has(name))) }
}
type AmountNames = ReturnType<typeof amountNames>

const isAmount = (ast: SchemaAST.AST): boolean =>
  isAmountSchema(ast) || (ast._tag === "Union" && ast.types.some(isAmountSchema))

/** Writes the amount with the decimals of its currency, or with more if the amount itself has more (a unit price). */
const toText = (amount: number, currency: CurrencyCode | undefined): string => {
  const exact = BigDecimal.normalize(BigDecimal.fromStringUnsafe(String(amount)))
  return formatAmount(exact, Math.max(currency === undefined ? 0 : exponentOf(currency), exact.scale))
}

const convert = (value: unknown, holder: string, amounts: AmountNames, outer: CurrencyCode | undefined): unknown => {
  if (Array.isArray(value)) return value.map((element) => convert(element, holder, amounts, outer))
  if (typeof value !== "object" || value === null) return value
  const own = "currency" in value && isCurrency(value.currency) ? value.currency : undefined
  const currency = own ?? outer
  // An ambiguous name, such as `total`, is an amount in an object with a currency, and a count elsewhere.
  const isAmountName = (key: string) => amounts.names.has(key) && (own !== undefined || !amounts.ambiguous.has(key))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "number" && isAmountName(keyOf(holder, name))
        ? toText(member, currency)
        : convert(member, name === attributes ? data : name, amounts, currency)
    ])
  )
}

/** Applies `Prefer: amounts=string` (RFC 7240): every amount of a JSON answer becomes a decimal string. */
export const amountsAsText = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
) => {
  const amounts = amountNames(api)
  return (prefer: string | undefined, response: HttpServerResponse.HttpServerResponse) => {
    if (prefer === undefined || !preference.test(prefer)) return response
    if (response.body._tag !== "Uint8Array" || !response.body.contentType.startsWith("application/json"))
      return response
    const body = convert(JSON.parse(new TextDecoder().decode(response.body.body)), "", amounts, undefined)
    const applied = response.headers["preference-applied"]
    return HttpServerResponse.setHeader(
      HttpServerResponse.setBody(response, HttpBody.jsonUnsafe(body)),
      "preference-applied",
      applied === undefined ? "amounts=string" : `${applied}, amounts=string`
    )
  }
}
