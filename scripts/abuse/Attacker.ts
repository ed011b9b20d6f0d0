/** Child of `npm run abuse`: carries out one attack, with descriptors and an event loop of its own. */
import { constants, setPriority } from "node:os"
import { attacks } from "./Attacks.ts"

export interface Assault {
  readonly name: string
  readonly port: number
  readonly token: string
  /** Of the loopback network: whom the attacker is taken for without a token. */
  readonly address: string
  readonly seconds: number
}

/** How often which status was answered, and how often connections ended which way. */
export type Endings = ReadonlyArray<readonly [ending: string, count: number]>

// An attacker has a machine of its own: what it computes must not be what the honest client waits for.
setPriority(constants.priority.PRIORITY_LOW)

const carryOut = async ({ address, name, port, seconds, token }: Assault) => {
  const endings = new Map<string, number>()
  await attacks[name]?.({ port, token, address, signal: AbortSignal.timeout(seconds * 1000), endings })
  process.send?.([...endings] satisfies Endings, () => process.exit())
}

process.once("message", (assault: Assault) => void carryOut(assault))
