import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks per second in /proc/<pid>/stat, which are 100 on every Linux that Node runs on. */
const ticks_per_second = 100

interface Stat {
  readonly parent: number
  readonly own: number
  readonly waited: number
}

const statOf = (pid: number | string): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number)
    const at = (index: number) => fields[index] ?? 0
    return { parent: at(1), own: at(11) + at(12), waited: at(13) + at(14) }
  } catch {
    return undefined
  }
}

export const cpuOf = (pid: number) => ((statOf(pid)?.own ?? 0) * 1000) / ticks_per_second

export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
  )

/** Returns the CPU milliseconds of a process and of its running and ended children, such as those of PostgreSQL. */
export const cpuOfTree = (pid: number) => {
  const root = statOf(pid)
  const children = childrenOf(pid).reduce((sum, child) => sum + (statOf(child)?.own ?? 0), 0)
  const ticks = (root?.own ?? 0) + (root?.waited ?? 0) + children
  return (ticks * 1000) / ticks_per_second
}
