import { Effect } from "effect"
import { serveJobs } from "../../platform/children/ChildEntry.ts"
import { ruleWorker } from "./RuleJob.ts"

/** This file is the entry point of a child process. */
serveJobs(() => {
  const answer = ruleWorker()
  return Promise.resolve((job: unknown) => Effect.runPromise(answer(job)))
})
