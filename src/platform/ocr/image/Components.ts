/** Bounding box of pixels that touch each other. */
export interface Component {
  readonly left: number
  readonly top: number
  /** The first column to the right of the box; `bottom` is the first row below it. */
  readonly right: number
  readonly bottom: number
  readonly pixel_count: number
}

/** Maximum number of runs of equal pixels. An image with more is noise, so the search ends there. */
const runs_max = 1_000_000

/** Finds the connected groups of pixels with the given value, run by run. */
export const components = (pixels: Uint8Array, width: number, height: number, value: number): Array<Component> => {
  const found = new Runs()
  let previous = 0
  for (let y = 0; y < height && found.size < runs_max; y++) {
    const current = found.size
    for (let x = 0, row = y * width; x < width; x++) {
      if (pixels[row + x] !== value) continue
      const start = x
      while (x < width && pixels[row + x] === value) x++
      found.add(y, start, x)
    }
    found.join(previous, current)
    previous = current
  }
  return found.groups()
}

class Runs {
  private readonly rows: Array<number> = []
  private readonly starts: Array<number> = []
  private readonly ends: Array<number> = []
  private readonly parents: Array<number> = []

  get size(): number {
    return this.rows.length
  }

  add(row: number, start: number, end: number): void {
    this.parents.push(this.rows.length)
    this.rows.push(row)
    this.starts.push(start)
    this.ends.push(end)
  }

  /** Both rows are sorted, so one pass over them finds every pair of runs that touch. */
  join(previous: number, current: number): void {
    for (let upper = previous, lower = current; upper < current && lower < this.size;) {
      const [upperEnd, lowerEnd] = [of(this.ends, upper), of(this.ends, lower)]
      if (of(this.starts, upper) <= lowerEnd && of(this.starts, lower) <= upperEnd) {
        this.parents[this.rootOf(lower)] = this.rootOf(upper)
      }
      if (upperEnd < lowerEnd) upper++
      else lower++
    }
  }

  groups(): Array<Component> {
    const boxes = new Map<number, { -readonly [Key in keyof Component]: Component[Key] }>()
    for (let run = 0; run < this.size; run++) {
      const [row, start, end] = [of(this.rows, run), of(this.starts, run), of(this.ends, run)]
      const root = this.rootOf(run)
      const box = boxes.get(root)
      if (box === undefined) {
        boxes.set(root, { left: start, top: row, right: end, bottom: row + 1, pixel_count: end - start })
        continue
      }
      box.left = Math.min(box.left, start)
      box.right = Math.max(box.right, end)
      box.bottom = Math.max(box.bottom, row + 1)
      box.pixel_count += end - start
    }
    return [...boxes.values()]
  }

  private rootOf(run: number): number {
    let root = run
    while (of(this.parents, root) !== root) {
      const grandparent = of(this.parents, of(this.parents, root))
      this.parents[root] = grandparent
      root = grandparent
    }
    return root
  }
}

const of = (values: ReadonlyArray<number>, at: number): number => values[at] ?? 0
