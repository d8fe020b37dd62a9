/**
 * The service's tables in memory, as far as reposting needs them. What is done with them is in the other files named
 * `pure-`: each transaction is one call. What production decides in TypeScript is called; what it decides in SQL is
 * mirrored, with the name of that SQL.
 */
import type { Match } from '../../src/lineage/match.ts';
import type { Place, User } from './history.ts';
import type {
  Account,
  Bug,
  Due,
  Firing,
  Placement,
  Post,
  Rule,
  SourceFile,
  Target,
  Watch,
  Watched,
} from './pure-tables.ts';

export class PureStore {
  now: number;
  readonly bugs: ReadonlySet<Bug>;
  rules: Rule[] = [];
  posts: Post[] = [];
  targets: Target[] = [];
  placements: Placement[] = [];
  watches = new Map<Place, Watch>();
  watched: Watched[] = [];
  files: SourceFile[] = [];
  firings: Firing[] = [];
  readonly #accounts = new Map<string, Account>();
  /** Called with each decision of a match. */
  onMatch: (match: Match['kind']) => void = () => {};
  /** Called with each target that failed, or was made failed. */
  onFailed: (target: Target) => void = () => {};
  #ids = 0;

  constructor(now: number, bugs: readonly Bug[] = []) {
    this.now = now;
    this.bugs = new Set(bugs);
  }

  id(): number {
    this.#ids++;
    return this.#ids;
  }

  account(user: User, place: Place): Account {
    const key = `${user} ${place}`;
    const account = this.#accounts.get(key) ?? { status: 'connected', few: false };
    this.#accounts.set(key, account);
    return account;
  }

  isConnected(user: User, place: Place): boolean {
    return this.account(user, place).status === 'connected';
  }

  /** dueRows().claim */
  claim<R extends Due>(rows: Iterable<R>, leaseMs: number): { row: R; fence: number } | null {
    const ready = [...rows].filter(
      (row) => row.dueAt !== null && row.dueAt <= this.now && (row.leaseUntil === null || row.leaseUntil <= this.now),
    );
    const row = ready.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))[0];
    if (!row) return null;
    row.leaseUntil = this.now + leaseMs;
    row.fence++;
    row.attempts++;
    return { row, fence: row.fence };
  }

  holds({ row, fence }: { row: Due; fence: number }): boolean {
    return this.bugs.has('no fencing token') || (row.fence === fence && row.leaseUntil !== null);
  }

  release(row: Due, dueAt: number | null, failed = false): void {
    row.leaseUntil = null;
    row.dueAt = dueAt;
    if (!failed) row.attempts = 0;
  }
}
