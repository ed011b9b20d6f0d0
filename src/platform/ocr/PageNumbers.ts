/**
 * Chooses the pages to read, counted from 0: the first ones and the last one, because a total is mostly on one of them.
 * If only one page may be read, it is the first one.
 */
export const pageNumbers = (count: number, pages_max: number): ReadonlyArray<number> => {
  const numbers = Array.from({ length: Math.min(count, pages_max) }, (_, index) => index)
  return count > pages_max && pages_max > 1 ? [...numbers.slice(0, -1), count - 1] : numbers
}
