/** What a history on the real service leads to: what platforms hold, and what the service recorded. */

import { SECOND } from '../../src/lib/time.ts';
import type { World } from '../harness/world.ts';
import type { Appearance, Line, ModelRule } from './facts.ts';
import type { Place, User } from './history.ts';

export interface Made {
  content: number;
  on: Place;
  by: User;
  isRepost: boolean;
  isPosted: boolean;
  settledAt: number | null;
  mayBeThere: boolean;
  /** Whether it had not begun. */
  isQueued: boolean;
}

export type Item = Omit<Appearance, 'by' | 'isRepost' | 'knownAt'> & { id: string; isPhone: boolean };

/** What a history uses. The lists grow. */
export interface Scene {
  world: World;
  users: readonly string[];
  /** By user and place. */
  accounts: ReadonlyMap<string, { id: string; identityId: string }>;
  rules: readonly { id: string; model: ModelRule }[];
  /** SHA-256 of each content's file. */
  hashes: readonly string[];
  username(place: Place): string;
}

export class Observer {
  readonly items: Item[] = [];
  readonly made = new Map<string, Made>();
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Notes what the platform shows. */
  async readItems(): Promise<void> {
    const known = new Set(this.items.map(({ id }) => id));
    for (const entry of await this.#scene.world.simulator.published()) {
      const content = this.#scene.hashes.indexOf(entry.sha256);
      const on = [0, 1, 2, 3].find((place) => entry.username.split('@')[0] === this.#scene.username(place));
      if (known.has(entry.id) || content < 0 || on === undefined) continue;
      this.items.push({
        ...{ id: entry.id, content, on, texts: [entry.text], isPublic: true, removedAt: null, isPhone: false },
        ...{ visibleAt: entry.publishedAt, at: boundsOf(entry.publishedAt) },
      });
    }
  }

  /** Notes the targets, before they can be deleted. @returns those that exist, as their content and place */
  async readMade(): Promise<Set<string>> {
    const rows = await this.#scene.world.db.query<{
      user: string;
      identity: string;
      sha: Buffer;
      repost: boolean;
      state: string;
      begun: boolean;
      unproven: boolean;
      at: Date | null;
    }>(
      `select t.user_id as "user", t.identity_id as identity, m.sha256 as sha, p.is_repost as repost, t.state,
         t.begun_at is not null as begun, t.unproven or t.code is not distinct from 'outcome_unknown' as unproven,
         t.settled_at as at
       from target t join post p on p.id = t.post_id join media m on m.id = p.media_id where t.user_id = any($1::uuid[])`,
      [this.#scene.users],
    );
    const placeOf = new Map(
      [...this.#scene.accounts].map(([key, { identityId }]) => [identityId, Number(key.split(' ')[1])]),
    );
    const existing = new Set<string>();
    for (const { user, identity, sha, repost, state, begun, unproven, at } of rows) {
      const content = this.#scene.hashes.indexOf(sha.toString('hex'));
      const on = placeOf.get(identity) ?? -1;
      const by = this.#scene.users.indexOf(user) as User;
      const isPosted = state === 'posted';
      this.made.set(`${content} ${on}`, {
        content,
        on,
        by,
        isRepost: repost,
        isPosted,
        settledAt: at?.getTime() ?? null,
        mayBeThere: unproven,
        isQueued: state === 'scheduled' && !begun,
      });
      existing.add(`${content} ${on}`);
    }
    return existing;
  }

  async readIntervals(): Promise<void> {
    const rows = await this.#scene.world.db.query<{ rule: string; from: Date; to: Date | null }>(
      `select rule_id as rule, active_from as "from", active_to as "to" from rule_interval
       where rule_id = any($1::uuid[]) order by active_from`,
      [this.#scene.rules.map(({ id }) => id)],
    );
    for (const { id, model } of this.#scene.rules) {
      if (model.deletedAt !== null) continue;
      const mine = rows.filter(({ rule }) => rule === id);
      model.active = mine.map(({ from, to }) => ({ from: from.getTime(), to: to?.getTime() ?? null }));
    }
  }

  async facts(count: (name: string, by?: number) => void) {
    const { db } = this.#scene.world;
    await this.readIntervals();
    const existing = await this.readMade();
    await this.readItems();
    const byId = new Map(this.items.map((item) => [item.id, item]));
    const rows = await db.query<{
      rule: string;
      remote: string | null;
      sha: Buffer | null;
      state: Line['state'];
      reason: { code: string } | null;
      at: Date | null;
    }>(
      `select f.rule_id as rule, coalesce(w.remote_id, pl.remote_id) as remote, m.sha256 as sha, f.state, f.reason,
         f.decided_at as at
       from firing f left join watched_post w on w.id = f.watched_post_id
         left join placement pl on pl.target_id = f.target_id left join target t on t.id = f.target_id left join post p on p.id = t.post_id left join media m on m.id = p.media_id
       where f.user_id = any($1::uuid[])`,
      [this.#scene.users],
    );
    const lines = rows.map(({ rule, remote, sha, state, reason, at }): Line => {
      const content = sha ? this.#scene.hashes.indexOf(sha.toString('hex')) : (byId.get(remote ?? '')?.content ?? -1);
      count(state === 'skipped' ? `skipped ${reason?.code}` : state);
      const code = state === 'reposted' ? null : (reason?.code ?? null);
      return {
        rule: this.#scene.rules.findIndex(({ id }) => id === rule),
        content,
        state,
        reason: code,
        decidedAt: at?.getTime() ?? null,
      };
    });
    const made = [...this.made.values()];
    const appearances = this.items.map((item): Appearance => {
      const maker = item.isPhone
        ? undefined
        : made.find(({ content, on }) => content === item.content && on === item.on);
      const knownAt = maker?.isPosted ? maker.settledAt : null;
      return { ...item, by: maker?.by ?? 'phone', isRepost: maker?.isRepost ?? !item.isPhone, knownAt };
    });
    const isWithdrawn = ({ content, on, isQueued }: Made) => isQueued && !existing.has(`${content} ${on}`);
    count('reposts', appearances.filter(({ isRepost }) => isRepost).length);
    return {
      appearances,
      lines,
      rules: this.#scene.rules.map(({ model }) => model),
      failures: made.filter((each) => !each.isPosted && !isWithdrawn(each)),
      withdrawn: made.filter(isWithdrawn),
    };
  }
}

/** A platform that reports whole seconds means some moment in that second; our clock may differ by the time of a call. */
export function boundsOf(at: number): { min: number; max: number } {
  const second = at - (at % SECOND);
  return { min: second - SECOND, max: second + 2 * SECOND - 1 };
}
