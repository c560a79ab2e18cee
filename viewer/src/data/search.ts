/** The last place of an ascending list that is at most x; -1 when all are greater. */
export function lastAtOrBefore(list: ArrayLike<number>, x: number): number {
  let low = -1;
  let high = list.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle;
    else high = middle;
  }
  return low;
}

export function nearest(list: ArrayLike<number>, x: number): number {
  const before = lastAtOrBefore(list, x);
  if (before < 0) return list.length > 0 ? 0 : -1;
  if (before + 1 < list.length && list[before + 1] - x < x - list[before]) return before + 1;
  return before;
}
