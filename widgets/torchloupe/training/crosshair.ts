/** Where the crosshair is, and the recorded step it snaps to. */

import { placeAt, type Track } from "./columns";

/** The recorded step nearest to `step` on any of the tracks; `step` rounded when there is none. */
export function snap(tracks: readonly Track[], step: number): number {
  let best = Number.NaN;
  for (const track of tracks) {
    const near = nearestOn(track, step);
    if (!(Math.abs(near - step) >= Math.abs(best - step))) best = near;
  }
  return Number.isNaN(best) ? Math.round(step) : best;
}

function nearestOn(track: Track, step: number): number {
  const place = placeAt(track.step, step);
  const before = recorded(track, place, step);
  const after = recorded(track, place + 1, step);
  if (Number.isNaN(before)) return after;
  return Math.abs(after - step) < Math.abs(before - step) ? after : before;
}

/** The step in the column at `place` that is nearest to `step`: any of them where every step was recorded. */
function recorded(track: Track, place: number, step: number): number {
  const at = track.step[place];
  if (at === undefined) return Number.NaN;
  const points = track.points[place] ?? 1;
  if (points <= 1) return Math.round(at);
  const { columns } = track;
  const wide = (columns.right - columns.left) / columns.count;
  const left = columns.left + (columns.column[place] ?? 0) * wide;
  const first = Math.ceil(left - 1e-9) + 0;
  const last = columns.step?.[place] ?? Math.max(Math.ceil(left + wide - 1e-9) - 1, first);
  return Math.min(Math.max(Math.round(step), first), last);
}
