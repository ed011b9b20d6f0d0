import { Cause, ConfigProvider, Console, Effect, Exit } from "effect"
import { administer, Services } from "../../scripts/admin.ts"

/** Runs a command of `npm run admin` inside this process, because a new process takes a second to load. */
export const runCommand = async (line: ReadonlyArray<string>, settings: Record<string, string> = {}) => {
  const [answers, complaints]: [Array<unknown>, Array<unknown>] = [[], []]
  const console = {
    ...globalThis.console,
    log: (text: unknown) => void answers.push(text),
    error: (text: unknown) => void complaints.push(text)
  }
  const exit = await Effect.runPromiseExit(
    administer(line).pipe(
      Effect.provide(Services),
      Effect.provideService(Console.Console, console),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
    )
  )
  const failure = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : undefined
  return { failure, stdout: answers.join("\n"), stderr: complaints.join("\n") }
}
