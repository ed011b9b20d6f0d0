/** Words of PromQL; every other name in an expression is a metric. */
const words = new Set([
  "sum",
  "rate",
  "max",
  "by",
  "histogram_quantile",
  "topk",
  "absent",
  "or",
  "vector",
  "min",
  "resets"
])
export const labelsOf = (expression: string) => [
  ...[...expression.matchAll(/[{,]\s*(\w+)\s*[=!]/g)].map(([, label = ""]) => label),
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim())
  )
]
export const metricsOf = (expression: string) =>
  (
    expression
      .replace(/"[^"]*"/g, "")
      .replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, "")
      .match(/[a-zA-Z_]\w*/g) ?? []
  ).filter((word) => !words.has(word))

/** True if a selector, such as `{code=~"500|503"}`, selects a series with these labels. */
export const selects = (selector: string, series: Readonly<Record<string, string>>) =>
  [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].every(([, label = "", operator = "", value = ""]) => {
    const isEqual = new RegExp(`^(?:${value})$`).test(series[label] ?? "")
    return operator.startsWith("=") === isEqual
  })
