/** Turns announcements into early checks, and limits how many they cause. */
import { SECOND } from '../../lib/time.ts';

export interface Hints {
  /** Checks these identities soon. Never throws. @param lagMs after this time they are checked again; 0: they are not */
  add(identityIds: readonly string[], lagMs?: number): void;
  /** Forgets what waits. */
  stop(): void;
}

/** Minimum interval between two early checks of an account, in ms. */
const APART_MS = 5 * SECOND;
/** How often an announcement is repeated while a check is in progress, which may have read too early. */
const MAX_REPEATS = 3;

export interface HintDeps {
  /** @returns number of identities whose check was moved to now */
  hurry(identityIds: readonly string[]): Promise<number>;
  /** Called when checks are due. */
  onHurried(): void;
  onError(error: unknown): void;
  apartMs?: number;
}

export function createHints({ hurry, onHurried, onError, apartMs = APART_MS }: HintDeps): Hints {
  /** Identities announced lately, and how often the announcement is still repeated. */
  const recent = new Map<string, { timer: NodeJS.Timeout; repeats: number }>();
  /** Identities that are checked again when lists show the last announced post. */
  const late = new Map<string, NodeJS.Timeout>();
  const act = async (id: string, repeats: number) => {
    const timer = setTimeout(() => {
      const entry = recent.get(id);
      recent.delete(id);
      if (entry && entry.repeats > 0) void act(id, entry.repeats - 1);
    }, apartMs).unref();
    const entry = { timer, repeats: 0 };
    recent.set(id, entry);
    try {
      if ((await hurry([id])) > 0) onHurried();
      else entry.repeats = Math.max(entry.repeats, repeats);
    } catch (error) {
      onError(error);
    }
  };
  const add = (id: string) => {
    const entry = recent.get(id);
    if (entry) entry.repeats = MAX_REPEATS;
    else void act(id, MAX_REPEATS);
  };
  const addLate = (id: string, lagMs: number) => {
    clearTimeout(late.get(id));
    const timer = setTimeout(() => {
      late.delete(id);
      add(id);
    }, lagMs);
    late.set(id, timer.unref());
  };
  return {
    add(identityIds, lagMs = 0) {
      for (const id of identityIds) {
        add(id);
        if (lagMs > 0) addLate(id, lagMs);
      }
    },
    stop() {
      for (const timer of [...[...recent.values()].map((entry) => entry.timer), ...late.values()]) clearTimeout(timer);
      recent.clear();
      late.clear();
    },
  };
}
