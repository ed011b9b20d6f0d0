import type { Random } from "../Random.ts"
import { crashes } from "./Database.ts"
import { mailFailures } from "./MailServer.ts"
import { timePasses } from "./Settling.ts"
import type { World } from "./World.ts"

/** Something that goes wrong while requests are under way, and how it ends. */
interface Fault {
  readonly name: string
  readonly strike: () => Promise<void>
  readonly repair: () => Promise<void>
}

export const faultKinds = ["kill", "database", "storage", "mail"] as const
export type FaultKind = (typeof faultKinds)[number]

/** One fault of a kind; undefined where this machine cannot have it. */
export const faultOf = (world: World, kind: FaultKind, random: Random): Fault | undefined => {
  switch (kind) {
    case "kill":
      return {
        name: "service killed",
        strike: world.killService,
        repair: async () => {
          // Nobody is alive who could hold anything.
          await world.sql(timePasses(0))
          await world.startService()
        }
      }
    case "database": {
      const crash = random.pick(crashes)
      return {
        name: `database: ${crash}`,
        strike: () => world.database.crash(crash),
        repair: () => (crash === "session killed" ? Promise.resolve() : world.database.restart())
      }
    }
    case "storage": {
      if (!world.storage.canFill) return undefined
      const { empty, fill } = world.storage
      return { name: "storage full", strike: async () => fill(), repair: async () => empty() }
    }
    case "mail": {
      const how = random.pick(mailFailures)
      return { name: `mail: ${how}`, strike: () => world.mail.fail(how), repair: world.mail.recover }
    }
  }
}
