import { Effect } from "effect"
import { serveJobs } from "../../platform/children/ChildEntry.ts"
import { ruleWorker } from "./RuleJob.ts"

serveJobs(() => {
  const answer = ruleWorker()
  return Promise.resolve((job: unknown) => Effect.runPromise(answer(job)))
})
