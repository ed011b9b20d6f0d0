import { Console, Effect, Layer, Option, Redacted } from "effect"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { SetupLinks } from "../SetupLinks.ts"

/** Prints the link that creates the first organization. A log may contain it: it works once and expires in a day. */
export const SetupNotice = Layer.effectDiscard(
  Effect.gen(function* () {
    const { role } = yield* AppConfig
    const links = yield* SetupLinks
    // A database failure at this point must not crash a process that is already listening.
    const issued = Effect.catchDefect(Effect.option(links.issue), (defect) =>
      Effect.as(Effect.logWarning("no setup link was made", defect), Option.none())
    )
    const setup = role === "worker" ? Option.none() : yield* issued
    if (Option.isNone(setup)) return
    const { link, valid_hours } = setup.value
    yield* Console.log(
      [
        "This installation is empty. Open its first organization and choose your password here:",
        "",
        `  ${Redacted.value(link)}`,
        "",
        `The link works once, for ${valid_hours} hours; \`npm run admin -- setup\` or a restart makes another.`
      ].join("\n")
    )
  })
).pipe(Layer.provide(SetupLinks.layer))
