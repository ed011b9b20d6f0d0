import { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { globSync, readFileSync } from "node:fs"
import { Api } from "../src/Api.ts"
const reached = new Map<unknown, string>()
const seen = new Set<unknown>()
const visit = (ast: any, where: string): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  if (ast._tag === "Objects") {
    if (!reached.has(ast.propertySignatures)) reached.set(ast.propertySignatures, where)
    for (const p of ast.propertySignatures) visit(p.type, where)
    for (const p of ast.indexSignatures) visit(p.type, where)
  }
  if (ast._tag === "Arrays") for (const e of [...ast.elements, ...ast.rest]) visit(e, where)
  if (ast._tag === "Union") {
    if (!reached.has(ast.types)) reached.set(ast.types, where)
    for (const m of ast.types) visit(m, where)
  }
  if (ast._tag === "Suspend") visit(ast.thunk(), where)
  if (ast._tag === "Declaration") for (const t of ast.typeParameters) visit(t, where)
  for (const l of ast.encoding ?? []) visit(l.to, where)
}
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, errors, successes, group }) => {
    const w = group.identifier + "." + endpoint.identifier
    for (const s of [...successes.values(), ...errors.values()].flat()) visit((s as any).ast, w)
    for (const e of (endpoint as any).payload.values()) for (const s of e.schemas ?? [e]) visit(s.ast, w)
  }
})
for (const file of globSync("src/**/*.ts")) {
  const text = readFileSync(file, "utf8")
  if (
    !/Schema\.(Struct|Union|Literals)\b|mapFields/.test(text) ||
    /(Repo|Http|Worker|Page|Layer)\.ts$|src\/(main|Server|Workers|Machine)\.ts/.test(file)
  )
    continue
  const m = await import("../" + file).catch(() => ({}))
  for (const [name, value] of Object.entries<any>(m)) {
    const ast = value?.ast
    if (ast === undefined || typeof name !== "string") continue
    const key = ast._tag === "Objects" ? ast.propertySignatures : ast._tag === "Union" ? ast.types : undefined
    let k2: unknown
    try {
      const a2: any = Schema.toCodecJson(value).ast
      k2 = a2._tag === "Objects" ? a2.propertySignatures : a2.types
    } catch {
      k2 = undefined
    }
    if (key !== undefined && (reached.has(key) || reached.has(k2))) {
      const id = ast.checks ? ast.checks.at(-1).annotations?.identifier : ast.annotations?.identifier
      const allLiteral = ast._tag === "Union" && ast.types.every((t: any) => t._tag === "Literal")
      console.log(
        JSON.stringify({
          file,
          name,
          tag: allLiteral ? "Literals" : ast._tag,
          id,
          n: key.length,
          where: reached.get(key)
        })
      )
    }
  }
}
