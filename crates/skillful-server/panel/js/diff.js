// Which lines of two texts differ.

const MOST = 1500;

/** Pairs of lines `[left, right]`, `null` where one side has none; equal lines are the same on both sides. */
export function sideBySide(left, right) {
  const a = left.split("\n");
  const b = right.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines) => lines.map((line) => [line, line]);
  const middle = compared(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

/** By the longest common subsequence; beyond a size that would make the page wait, all lines count as different. */
function compared(a, b) {
  if (a.length > MOST || b.length > MOST) return [...a.map((line) => [line, null]), ...b.map((line) => [null, line])];
  const length = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      length[i][j] = a[i] === b[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) pairs.push([a[i++], b[j++]]);
    else if (j >= b.length || (i < a.length && length[i + 1][j] >= length[i][j + 1])) pairs.push([a[i++], null]);
    else pairs.push([null, b[j++]]);
  }
  return pairs;
}
