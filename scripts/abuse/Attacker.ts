/**
 * Child of `npm run abuse`: carries out one attack in its own process, with its own file descriptors and event loop.
 */
import { constants, setPriority } from "node:os"
import { attacks } from "./Attacks.ts"
import { besiege, type Crowd } from "./Crowd.ts"

export interface Assault extends Omit<Crowd, "signal" | "endings"> {
  readonly name: string
  readonly seconds: number
}

export type Endings = ReadonlyArray<readonly [ending: string, count: number]>

// A real attacker has its own machine, so its computing must not delay the honest client here.
setPriority(constants.priority.PRIORITY_LOW)

const carryOut = async ({ name, seconds, ...target }: Assault) => {
  const endings = new Map<string, number>()
  const crowd: Crowd = { ...target, signal: AbortSignal.timeout(Math.round(seconds * 1000)), endings }
  const attack = attacks[name]
  if (attack !== undefined) await besiege(crowd, attack, attack.by(crowd))
  process.send?.([...endings] satisfies Endings, () => process.exit())
}

process.once("message", (assault: Assault) => void carryOut(assault))
