import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../support/Random.ts"
import { crashes } from "./Database.ts"
import { mailFailures } from "./MailServer.ts"
import { timePasses } from "./audits/Settling.ts"
import type { World } from "./World.ts"

/** Maximum number of seconds for which a process is stopped, so that it loses its leases and goes on nevertheless. */
const stopped_seconds_max = 18

interface Fault {
  readonly name: string
  readonly strike: () => Promise<void>
  readonly repair: () => Promise<void>
}

export const faultKinds = ["kill", "stop", "database", "storage", "mail"] as const
export type FaultKind = (typeof faultKinds)[number]

/** Chooses a fault of a kind; undefined when this machine cannot produce it. */
export const faultOf = (world: World, kind: FaultKind, random: Random): Fault | undefined => {
  switch (kind) {
    case "kill": {
      const all = world.roles()
      const victims = random.pick([all, ...all.map((role) => [role])])
      return {
        name: `killed: ${victims.join(" and ")}`,
        strike: () => world.kill(victims),
        repair: async () => {
          // All processes are dead, so none holds a lease (a temporary claim on work): all leases may expire now.
          if (victims.length === all.length) await world.sql(timePasses(0))
          await world.start(victims)
        }
      }
    }
    case "stop": {
      const victim = random.pick(world.roles())
      const seconds = random.whole(2, stopped_seconds_max)
      return {
        name: `stopped: ${victim}`,
        strike: async () => {
          world.signal(victim, "SIGSTOP")
          for (let second = 0; second < seconds; second++) {
            await sleep(1_000)
            // An SQL statement may wait for a lock of the stopped process until it times out.
            await world.sql(timePasses()).catch(() => undefined)
          }
        },
        repair: async () => world.signal(victim, "SIGCONT")
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
