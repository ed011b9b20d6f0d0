import { Effect } from "effect"
import { childEntry } from "../../platform/children/ChildEntry.ts"
import { ruleWorker } from "./RuleJob.ts"

export const ruleChild = childEntry(import.meta.url, () => {
  const answer = ruleWorker()
  return Promise.resolve((job: unknown) => Effect.runPromise(answer(job)))
})
