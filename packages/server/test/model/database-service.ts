/** The service in histories on PostgreSQL: its loops, which can crash, and the faults of platforms. */
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { sweepActivity } from '../../src/maintenance/rows.ts';
import { NetworkError } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { gated } from '../harness/world.ts';
import type { FactRecorder } from './database-facts.ts';
import { createLoop } from './database-jobs.ts';
import { traitsOf } from './database-platforms.ts';
import type { ModelWorld } from './database-world.ts';
import { type Job, PLATFORMS, type Send } from './history-generator.ts';
import type { Facts } from './reference/facts.ts';

/** "An account is checked every 1 to 15 minutes." Simulated accounts are checked more often than that. */
const CHECK_MS = 14 * MINUTE;
/** Longer than the service verifies a send. */
const BLIND_MS = 25 * HOUR;
/** How long a dead worker's claims are kept from others. */
const LEASES_MS = 15 * MINUTE;

export class ModelService {
  readonly #world: ModelWorld;
  readonly #facts: FactRecorder;
  readonly #outages: { platform: string; until: number; remove(): void }[] = [];
  /** Faults that wait for the next send to a platform. */
  readonly #broken: { platform: string; kind: 'rejected' | 'unknown'; isHit(): boolean; onHit?(now: number): void }[] =
    [];
  /** Unexpected errors in words. */
  readonly errors: string[] = [];
  /** Platforms that fail let accounts connect. */
  isConnecting = false;

  constructor(world: ModelWorld, facts: FactRecorder) {
    this.#world = world;
    this.#facts = facts;
  }

  /** A platform refuses every request for a time. */
  async outage(platform: string, ms: number): Promise<void> {
    const { faults } = this.#world.simulators.get(platform) ?? {};
    if (!faults) return;
    const from = await this.#world.now();
    const handle = faults.add({ when: () => !this.isConnecting, fault: { kind: 'refusal', refusal: 'server-error' } });
    this.#outages.push({ platform, until: from + ms, remove: () => handle.remove() });
    this.#addFaults(platform, { from, to: from + ms + HOUR }, ['rejected', 'unknown', 'unreadable', 'no_file']);
  }

  #addFaults(platform: string, span: { from: number; to: number }, kinds: Facts['faults'][number]['kind'][]): void {
    for (const [place, each] of PLATFORMS.entries())
      if (each === platform)
        for (const kind of kinds) this.#facts.faults.push({ ...span, kind, identity: this.#facts.identityOf(place) });
  }

  async breakSend(platform: string, ends: Send): Promise<void> {
    const { faults } = this.#world.simulators.get(platform) ?? {};
    if (!faults) return;
    const { isSend, rejection, isVerification, isListed } = traitsOf(platform);
    if (ends === 'rejected') {
      const fault = { kind: 'status', answer: rejection.response } as const;
      const handle = faults.add({ when: rejection.isAt, times: 1, fault });
      this.#broken.push({ platform, kind: 'rejected', isHit: () => handle.hits() > 0 });
      return;
    }
    const isLost = ends === 'lost' || ends === 'blind';
    const handle = faults.add({ when: isSend, times: 1, fault: { kind: isLost ? 'reset-after' : 'reset-before' } });
    const isHit = () => handle.hits() > 0;
    if (ends === 'lost' || ends === 'void') {
      this.#broken.push({ platform, kind: 'unknown', isHit });
      return;
    }
    const blindness = faults.add({
      when: (request) => isHit() && isVerification(request),
      fault: { kind: 'refusal', refusal: 'server-error' },
    });
    const onHit = (now: number) => {
      this.#outages.push({ platform, until: now + BLIND_MS, remove: () => blindness.remove() });
      const span = { from: now, to: now + BLIND_MS + HOUR };
      this.#addFaults(platform, span, ['unknown', 'rejected']);
      if (!isListed) this.#addFaults(platform, span, ['unreadable', 'no_file']);
    };
    this.#broken.push({ platform, kind: 'unknown', isHit, onHit });
  }

  /** Notes which sends met a fault since `from`. */
  async #noteBroken(from: number): Promise<void> {
    const now = await this.#world.now();
    for (const each of this.#broken.splice(0))
      if (each.isHit()) {
        this.#addFaults(each.platform, { from, to: now + MINUTE }, [each.kind]);
        each.onHit?.(from);
      } else this.#broken.push(each);
  }

  /** Runs one kind of loop once. */
  async runOnce(job: Job): Promise<void> {
    const { db } = this.#world;
    if (job === 'watch') await db.execute('update watch set due_at = app_now() where due_at > app_now()');
    const from = await this.#world.now();
    await this.job(job);
    await this.#noteBroken(from);
  }

  async job(job: Job): Promise<number> {
    const { db, steady } = this.#world;
    if (job === 'publish') return steady.runUntilIdle();
    const onBug = (error: unknown) => {
      const isExpected = error instanceof PlatformError || error instanceof NetworkError;
      if (!isExpected) this.errors.push((error as Error).stack ?? String(error));
    };
    return createLoop(this.#world, job, { db, sessions: steady.accounts.sessions, count() {}, onBug }).runOnce();
  }

  async crash(job: Job, statements: number): Promise<void> {
    const { db } = this.#world;
    let left = statements;
    let isGone = false;
    const worker = await this.#world.crashing(() => {
      isGone ||= left-- <= 0;
      return isGone;
    });
    const at = await this.#world.now();
    try {
      if (job === 'publish') await worker.runUntilIdle();
      else
        await createLoop(this.#world, job, {
          db: gated(db, () => isGone || left-- <= 0),
          sessions: worker.accounts.sessions,
          count() {},
          onBug() {},
        }).runOnce();
    } catch {
      // It is dead.
    } finally {
      worker.abort();
    }
    await this.#noteBroken(at);
    this.#facts.outages.push({ from: at, to: at + LEASES_MS });
  }

  /** Runs the service for a time. It deletes old rows at first, as it does every day. */
  async work(ms: number): Promise<void> {
    await sweepActivity(this.#world.db);
    const end = (await this.#world.now()) + ms;
    for (let turns = 0; ; turns++) {
      if (turns > 2_000) throw new Error('Work remains forever.');
      await this.#settle();
      const now = await this.#world.now();
      for (const outage of this.#outages.splice(0))
        if (outage.until <= now) outage.remove();
        else this.#outages.push(outage);
      if (now >= end) return;
      const next = Math.min(end, (await this.#nextDue()) ?? end, ...this.#outages.map(({ until }) => until));
      await this.#world.advance(Math.max(SECOND, next - now));
    }
  }

  async #settle(): Promise<void> {
    const { db } = this.#world;
    await this.job('watch');
    // Simulated accounts are checked every few seconds.
    await db.execute(
      `update watch set due_at = greatest(due_at, app_now() + $1 * interval '1 millisecond')
       where due_at is not null and checked_at > app_now() - interval '1 second'`,
      [CHECK_MS],
    );
    for (let turns = 0; turns < 20; turns++) {
      const due = await this.#dueJobs();
      if (due.length === 0) return;
      const from = await this.#world.now();
      for (const job of due) await this.job(job);
      await this.#noteBroken(from);
      await this.#facts.observe();
    }
  }

  /** The jobs that have something to do now. */
  async #dueJobs(): Promise<Job[]> {
    const rows = await this.#world.db.query<{ job: Job }>(
      `select 'match' as job where exists (select from watched_post where due_at <= app_now()
           and coalesce(lease_until, due_at) <= app_now())
       union all select 'file' where exists (select from source_file where due_at <= app_now()
           and coalesce(lease_until, due_at) <= app_now())
       union all select 'fire' where exists (select from firing where due_at <= app_now()
           and coalesce(lease_until, due_at) <= app_now())
       union all select 'publish' where exists (select from lane where next_due_at <= app_now()
           and coalesce(lease_until, next_due_at) <= app_now())`,
    );
    return rows.map(({ job }) => job);
  }

  async #nextDue(): Promise<number | null> {
    const [row] = await this.#world.db.query<{ next: Date | null }>(
      `select min(at) as next from (
         select greatest(t.due_at, l.lease_until) as at from target t join lane l on l.identity_id = t.identity_id
           where t.due_at is not null
         union all select greatest(due_at, lease_until) from firing where due_at is not null
         union all select greatest(due_at, lease_until) from source_file where due_at is not null
         union all select greatest(due_at, lease_until) from watch where due_at is not null
         union all select greatest(due_at, lease_until) from watched_post where due_at is not null) due`,
    );
    return row?.next?.getTime() ?? null;
  }
}
