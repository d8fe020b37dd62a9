/**
 * Publishing events: one function per event writes its log line and metric. The timeline is written with the target.
 */
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Target, Transition } from './target.ts';
import type { Task } from './task.ts';

/** Events of a worker, for logs and metrics. */
export interface PublisherEvents {
  moved(task: Task, transition: Transition): void;
  bug(error: unknown, targetId: string): void;
  failed(what: string, error: unknown): void;
  lanesRepaired(count: number): void;
  /** Lanes that this worker held without working on them were released. */
  lanesFreed(count: number): void;
}

/** Histogram bounds: seconds from due to public. */
const LATENCY_BOUNDS = [1, 2, 5, 10, 30, 60, 300, 1800, 7200];

/** @param platforms names of all platforms @param onPosted called after each posted target */
export function createPublisherEvents(
  log: Log,
  metrics: Metrics,
  platforms: readonly string[],
  onPosted: () => void,
): PublisherEvents {
  const each = platforms.map((platform) => ({ platform }));
  const posted = each.map((labels) => ({ ...labels, status: 'posted', code: '' }));
  const ended = metrics.counter('targets_total', 'Targets that came to rest, by platform and status.', posted);
  const sends = metrics.counter('sends_total', 'Irreversible requests begun, by platform.', each);
  const unknown = metrics.counter('sends_unknown_total', 'Sends whose outcome had to be verified, by platform.', each);
  const repaired = metrics.counter('lanes_repaired', 'Lanes found later than their earliest target; stays 0.');
  const freed = metrics.counter('lanes_freed', 'Lanes that a worker held without working on them; stays 0.');
  const bugs = metrics.counter('publishing_errors_total', 'Errors nobody foresaw while publishing.');
  const latency = metrics.histogram('publish_seconds', 'From due to public, by platform.', LATENCY_BOUNDS, each);

  const settled = (task: Task, target: Target) => {
    const { platform } = task.account;
    ended.add(1, { platform, status: target.state, code: target.code ?? '' });
    if (target.state === 'posted') latency.observe((task.readAt - target.countsFrom) / 1000, { platform });
    log.info(
      {
        event: `target_${target.state}`,
        platform,
        postId: task.post.id,
        targetId: target.id,
        code: target.code ?? undefined,
      },
      target.state === 'posted' ? 'Posted' : 'Not posted',
    );
  };

  return {
    moved(task: Task, { target }: Transition) {
      const { platform } = task.account;
      if (target.state === 'posted') onPosted();
      if (target.state === 'posted' || target.state === 'failed') settled(task, target);
      else if (target.state === 'committing') sends.add(1, { platform });
      else if (target.state === 'unknown' && task.target.state !== 'unknown') unknown.add(1, { platform });
    },
    bug(error, targetId) {
      bugs.add();
      log.error({ err: error, targetId }, 'Publishing failed with an unexpected error; retrying');
    },
    failed: (what, error) => log.warn({ err: error, what }, 'The publisher failed and will try again'),
    lanesFreed(count) {
      freed.add(count);
      log.error({ count }, 'Released lanes that were held but not worked on');
    },
    lanesRepaired(count) {
      repaired.add(count);
      log.error({ count }, 'Corrected lanes whose due time was after their earliest target');
    },
  };
}
