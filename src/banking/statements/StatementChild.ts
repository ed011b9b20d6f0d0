import { Effect, Schema } from "effect"
import { serveJobs } from "../../platform/children/ChildEntry.ts"
import { answerOf, StatementJob } from "./StatementJob.ts"

const decodeJob = Schema.decodeUnknownEffect(Schema.toType(StatementJob))

/** This file is the entry point of a child process. */
serveJobs(() => Promise.resolve((job: unknown) => Effect.runPromise(Effect.flatMap(decodeJob(job), answerOf))))
