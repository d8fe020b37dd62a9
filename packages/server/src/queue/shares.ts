/**
 * Shares of a loop's slots. A job may wait for a server for minutes, so no user's jobs may hold all slots, and neither may
 * all jobs that ask servers which users name. Pure.
 */

/** Whose job it is. */
export interface Holder {
  /** null: nobody's; it counts against no share */
  userId: string | null;
  /** Whether it asks a server that a user named. */
  ownServer: boolean;
}

/** What a claim may take. */
export interface Limits {
  /** Slots that each user holds. */
  held: ReadonlyMap<string, number>;
  /** Maximum slots of one user. */
  share: number;
  /** Free slots for jobs that ask servers which users named. */
  ownServers: number;
}

export const NO_LIMITS: Limits = { held: new Map(), share: 1_000_000, ownServers: 1_000_000 };

/** Maximum slots of one user: a quarter, but at least four. @param slots maximum jobs at once */
export const shareOf = (slots: number): number => Math.max(4, Math.floor(slots / 4));

/** Maximum slots of one user if jobs take many minutes: all but one, if there are several. @param slots maximum jobs at once */
export const longShareOf = (slots: number): number => Math.max(1, slots - 1);

/** @param slots maximum jobs at once @param running the jobs in progress @param share maximum slots of one user */
export function limitsOf(slots: number, running: Iterable<Holder>, share = shareOf(slots)): Limits {
  const held = new Map<string, number>();
  let ownServers = Math.ceil(slots / 2);
  for (const { userId, ownServer } of running) {
    if (userId !== null) held.set(userId, (held.get(userId) ?? 0) + 1);
    if (ownServer) ownServers--;
  }
  return { held, share, ownServers: Math.max(0, ownServers) };
}

/** Whether a share or the slots for users' own servers are used up, so that due rows may have been left out. */
export function areUsedUp({ held, share, ownServers }: Limits): boolean {
  return ownServers === 0 || [...held.values()].some((slots) => slots >= share);
}

/** The holder alone, without the job that it would keep in memory. */
export const holderOf = ({ userId, ownServer }: Holder): Holder => ({ userId, ownServer });
