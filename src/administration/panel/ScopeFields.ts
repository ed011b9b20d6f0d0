import { scopeLines } from "../../identity/texts/ScopeLines.ts"
import { mobileScopes, readScopes, scopesKnown } from "../../identity/Scope.ts"

/** Sets of scopes that most tokens and clients need. */
const presets = {
  read: { label: "Read", scopes: readScopes },
  all: { label: "Read and change", scopes: scopesKnown },
  mobile: { label: "Read and change invoices, quotes, customers and expenses", scopes: mobileScopes }
} as const

type Preset = keyof typeof presets

const thingOf = (scope: string) => scope.split(/[:.]/, 1)[0] ?? scope

/** The kinds of resources that scopes allow access to, such as `invoices`, with their labels. */
const things = [...new Set(scopesKnown.map(thingOf))].map((thing) => ({
  value: thing,
  label:
    scopeLines([`${thing}:read`], "en")
      .join("")
      .split(":", 1)[0] ?? thing
}))

const names = (offered: ReadonlyArray<Preset>) =>
  offered.map((preset) => ({ value: preset, label: presets[preset].label }))

/** The scopes of a token or client: a preset, and optionally the resources to which it is limited. */
export const scopeQuestions = (offered: ReadonlyArray<Preset>) => ({
  preset: { label: "What it may do", choices: names(offered) },
  things: { label: "Only with these", hint: "Choose none for everything", several: true, choices: things }
})

export const scopesOf = (fields: URLSearchParams): ReadonlyArray<string> => {
  const [, preset] = Object.entries(presets).find(([name]) => name === fields.get("preset")) ?? []
  const chosen = fields.getAll("things")
  // Without a preset the list is empty, and the schema refuses an empty list of scopes.
  return (preset?.scopes ?? []).filter((scope) => chosen.length === 0 || chosen.includes(thingOf(scope)))
}
