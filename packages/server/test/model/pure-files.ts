/** Downloads of found videos, in memory. Mirrors source-files.ts. */
import { DAY, MINUTE } from '../../src/lib/time.ts';
import { reviseReposts } from './pure-firings.ts';
import type { PurePlatforms } from './pure-platform.ts';
import type { PureStore } from './pure-store.ts';
import type { SourceFile } from './pure-tables.ts';
import type { Gate } from './stepper.ts';

/** RECONNECT_PAUSE_MS and RECONNECT_WITHIN_MS */
const RECONNECT = { pauseMs: 15 * MINUTE, withinMs: 7 * DAY };

/** fetchSourceFile */
export async function runFile(
  store: PureStore,
  platforms: PurePlatforms,
  { row, fence }: { row: SourceFile; fence: number },
  gate: Gate,
): Promise<void> {
  const { watched, user, createdAt } = row;
  await gate();
  if (!store.holds({ row, fence }) || !store.files.includes(row)) return;
  if (!store.firings.some((each) => waitsFor(row, each))) {
    // dropUnwanted
    if (store.bugs.has('unwanted file counts as gone')) finish(store, row, { problem: 'gone' });
    else store.files = store.files.filter((each) => each !== row);
    return;
  }
  if (!store.isConnected(user, watched.place)) {
    if (store.now < createdAt + RECONNECT.withinMs) return store.release(row, store.now + RECONNECT.pauseMs);
    return finish(store, row, { problem: 'no_file' });
  }
  const item = platforms.find(watched.place, watched.remoteId);
  const isThere = item && platforms.isListed(item);
  await gate();
  if (!store.holds({ row, fence }) || !store.files.includes(row)) return;
  if (!isThere) {
    // markGone
    watched.goneAt ??= store.now;
    reviseReposts(store, watched);
  }
  finish(store, row, isThere ? { lengthMs: item.lengthMs } : { problem: 'gone' });
}

const waitsFor = ({ watched, user }: SourceFile, each: PureStore['firings'][number]) =>
  each.watched === watched && each.rule.user === user && each.state === 'waiting';

/** finishFile and failFile */
function finish(
  store: PureStore,
  file: SourceFile,
  result: { lengthMs: number } | { problem: 'gone' | 'no_file' },
): void {
  const { watched } = file;
  store.release(file, null);
  if ('problem' in result) Object.assign(file, { state: 'failed', problem: result.problem });
  else {
    // MEASURED
    const measured = { durationMs: result.lengthMs, isMeasured: true };
    file.state = 'stored';
    Object.assign(watched, measured);
    for (const each of store.placements)
      if (each.place === watched.place && each.remoteId === watched.remoteId && each.targetId === null)
        Object.assign(each, measured);
  }
  for (const firing of store.firings) if (waitsFor(file, firing)) firing.dueAt ??= store.now;
}
