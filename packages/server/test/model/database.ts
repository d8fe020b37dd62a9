/**
 * Runs histories on the real service code: a real database, the real publisher and loops, and a simulated platform that
 * phones post to. Four accounts of one platform are the places. Workers crash by losing their database.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { loadPlans } from '../../src/config/plans.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { createMedia } from '../../src/media/media.ts';
import type { MediaTools } from '../../src/media/tools.ts';
import { say } from '../../src/messages/timeline.ts';
import { removePost } from '../../src/posts/change.ts';
import { insertPost, insertTargets } from '../../src/posts/post-store.ts';
import { lockLanes, lowerLanes } from '../../src/queue/lane-locks.ts';
import { addRule, deleteRule, pauseRule } from '../../src/reposts/service.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { createWorld } from '../harness/world.ts';
import { makeVideo } from '../media/fixtures.ts';
import {
  connectorsOf,
  createDatabaseJobs,
  type DatabaseJobs,
  type ModelPlatform,
  type Parts,
} from './database-jobs.ts';
import { boundsOf, type Made, Observer } from './database-observer.ts';
import type { ModelRule } from './facts.ts';
import type { Command, History, Place, User } from './history.ts';
import type { Figures } from './pure.ts';
import { judge, mayAdd } from './reference.ts';

export interface ModelDatabase {
  /** @returns contradictions to the reference model; or an empty list */
  run(history: History, figures?: Figures): Promise<string[]>;
  close(): Promise<void>;
}

/** Serves histories one after the other, each with new users and accounts. */
export async function createModelDatabase(platform: ModelPlatform, tools: MediaTools): Promise<ModelDatabase> {
  const world = await createWorld({ ...platform, simulator: { wire: false } });
  const video = await readFile(await makeVideo({ seconds: 6, width: 90, height: 160, fps: 5, picture: 'plain' }));
  const parts = {
    world,
    platform,
    media: createMedia(tools),
    video,
    storage: await createDiskStorage(join(world.folder, 'files')),
  };
  let count = 0;
  return {
    run: (history, figures = {}) => new DatabaseRun(parts, `h${++count}`, figures).run(history),
    close: () => world.close(),
  };
}

const FACTS = { container: 'mp4', mime: 'video/mp4', durationMs: 6_000, lastFrameMs: 5_800, width: 90, height: 160 };
const MORE_FACTS = { codedWidth: 90, codedHeight: 160, rotation: 0, fps: 5, videoCodec: 'h264', audioCodec: 'aac' };
const SAME = 'The same words';
const MAX_SPAN_MS = 30 * HOUR;

class DatabaseRun {
  readonly #parts: Parts;
  readonly #name: string;
  readonly #figures: Figures;
  readonly #users: string[] = [];
  readonly #accounts = new Map<string, { id: string; identityId: string }>();
  readonly #rules: { id: string; model: ModelRule }[] = [];
  readonly #posts: { id: string; user: User }[] = [];
  readonly #hashes: string[] = [];
  readonly #observer: Observer;
  readonly #running: Promise<unknown>[] = [];
  readonly #findings: string[] = [];
  readonly #jobs: DatabaseJobs;
  #contents = 0;
  #span = 0;

  constructor(parts: Parts, name: string, figures: Figures) {
    this.#parts = parts;
    this.#name = name;
    this.#figures = figures;
    this.#observer = new Observer({
      world: parts.world,
      users: this.#users,
      accounts: this.#accounts,
      rules: this.#rules,
      hashes: this.#hashes,
      username: this.#username,
    });
    this.#jobs = createDatabaseJobs(parts, (name) => this.#count(name));
  }

  async run(history: History): Promise<string[]> {
    const { world } = this.#parts;
    const { db } = world;
    try {
      for (const command of history) {
        this.#count(command.do === 'run' ? `run ${command.job}` : command.do);
        await this.#execute(command);
      }
      await this.#finish();
      this.#count('histories');
      const bugs = world.bugs.splice(0).map((bug) => `unexpected error: ${(bug as Error).message}`);
      return [...this.#findings, ...bugs, ...judge(await this.#observer.facts((name, by) => this.#count(name, by)))];
    } finally {
      await Promise.allSettled(this.#running);
      world.simulator.faults.clear();
      await this.#jobs.close();
      // The next history must not wait for this one's watches.
      await db.execute('delete from rule where user_id = any($1::uuid[])', [this.#users]);
      await db.execute('update watch set due_at = null, lease_until = null');
    }
  }

  #count(name: string, by = 1): void {
    this.#figures[name] = (this.#figures[name] ?? 0) + by;
  }

  async #user(user: User): Promise<string> {
    for (; this.#users.length <= user; ) {
      const [row] = await this.#parts.world.db.query<{ id: string }>(
        `insert into auth."user" (name, email, plan) values ('U', uuid_v7()::text, 'PRO') returning id`,
      );
      this.#users.push(row?.id ?? '');
    }
    return this.#users[user] ?? '';
  }

  async #account(user: User, place: Place): Promise<{ id: string; identityId: string }> {
    const key = `${user} ${place}`;
    const account =
      this.#accounts.get(key) ?? (await this.#parts.world.connect(await this.#user(user), this.#username(place)));
    this.#accounts.set(key, account);
    return account;
  }

  #username = (place: Place) => `${this.#name}p${place}`;

  async #execute(command: Command): Promise<void> {
    const { world } = this.#parts;
    const { db, simulator } = world;
    const at = <T>(list: readonly T[], index: number) => list[index % Math.max(1, list.length)];
    const phone = simulator.simulator.phone;
    switch (command.do) {
      case 'addRule':
        return this.#addRule(command);
      case 'pause':
      case 'resume':
      case 'deleteRule': {
        const rule = at(this.#rules, command.rule);
        if (!rule || rule.model.deletedAt !== null) return;
        const userId = await this.#user(rule.model.user);
        if (command.do !== 'deleteRule')
          return pauseRule({ db, connectors: this.#connectors }, userId, rule.id, { isPaused: command.do === 'pause' });
        await this.#observer.readIntervals();
        await this.#observer.readMade();
        await deleteRule(db, userId, rule.id);
        rule.model.deletedAt = (await db.clock.now()).getTime();
        const open = rule.model.active.at(-1);
        if (open) open.to ??= rule.model.deletedAt;
        return;
      }
      case 'post':
        return this.#post(command.user, command.to, this.#text(command.words));
      case 'deletePost': {
        const post = at(this.#posts, command.post);
        if (!post) return;
        await this.#observer.readMade();
        await removePost({ db }, await this.#user(post.user), post.id).catch(unless('not_deletable', 'unknown_post'));
        return;
      }
      case 'phone': {
        const { on, words, age = 0, hidden, isPrivate } = command;
        await this.#phone(on, this.#text(words), { age, hidden, isPrivate });
        return;
      }
      case 'mirror': {
        await this.#observer.readItems();
        const item = at(this.#observer.items, command.item);
        if (!item || item.removedAt !== null || item.on === command.on) return;
        await this.#observer.readMade();
        const isAlike = ({ on, content, isPosted }: Made) => on === command.on && content === item.content && !isPosted;
        if ([...this.#observer.made.values()].some(isAlike)) return;
        await this.#phone(command.on, item.texts[0] ?? '', {});
        return;
      }
      case 'edit': {
        const item = at(this.#observer.items, command.item);
        if (!item?.isPhone || item.removedAt !== null || !phone?.edit) return;
        const text = `Edited ${this.#name} ${item.content}`;
        await phone.edit(this.#username(item.on), item.id, text);
        item.texts = [text, ...item.texts];
        return;
      }
      case 'remove': {
        await this.#observer.readItems();
        const item = at(this.#observer.items, command.item);
        if (!item || item.removedAt !== null || item.texts[0]?.startsWith(SAME)) return;
        await phone?.remove(this.#username(item.on), item.id);
        item.removedAt = (await db.clock.now()).getTime();
        return;
      }
      case 'advance':
        if (this.#span + command.ms > MAX_SPAN_MS) return;
        this.#span += command.ms;
        return world.advance(command.ms);
      case 'settle':
        return this.#settle();
      case 'run':
        return this.#run(command);
      case 'go':
        await Promise.allSettled(this.#running.splice(command.stalled % Math.max(1, this.#running.length), 1));
    }
  }

  #text(words: 'own' | 'same' | 'none'): string {
    return words === 'own' ? `Clip ${this.#name} ${this.#contents}` : words === 'same' ? `${SAME} ${this.#name}` : '';
  }

  get #connectors() {
    return connectorsOf(this.#parts);
  }

  async #addRule({ user, from, to, perDay, delay }: Extract<Command, { do: 'addRule' }>): Promise<void> {
    const { db } = this.#parts.world;
    const given = { from: (await this.#account(user, from)).id, to: [] as string[] };
    for (const place of to) given.to.push((await this.#account(user, place)).id);
    const needs = { db, config: { plans: loadPlans(undefined), sandbox: true }, connectors: this.#connectors };
    const id = await addRule(needs, await this.#user(user), given).catch(
      unless('circular_dependency', 'duplicate_rule'),
    );
    const models = this.#rules.map(({ model }) => model);
    if ((id !== null) !== mayAdd(models, user, from, to))
      this.#findings.push(`adding ${from} to ${to}: ${id !== null}`);
    if (id === null) return;
    const options = { ...(perDay && { maxPerDay: perDay }), ...(delay && { delayMinutes: delay / MINUTE }) };
    await db.execute('update rule set options = $2 where id = $1', [id, options]);
    const [row] = await db.query<{ at: Date }>('select created_at as at from rule where id = $1', [id]);
    const addedAt = row?.at.getTime() ?? 0;
    this.#rules.push({ id, model: { user, from, to, addedAt, deletedAt: null, perDay: perDay ?? null, active: [] } });
  }

  /** The bytes of a content. */
  #file(): { content: number; bytes: Buffer; sha256: Buffer } {
    const content = this.#contents++;
    const label = Buffer.from(`${this.#name} ${content}`);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + label.length);
    head.write('free', 4);
    const bytes = Buffer.concat([this.#parts.video, head, label]);
    const sha256 = createHash('sha256').update(bytes).digest();
    this.#hashes.push(sha256.toString('hex'));
    return { content, bytes, sha256 };
  }

  async #post(user: User, places: readonly Place[], text: string): Promise<void> {
    const { world, storage } = this.#parts;
    const { db } = world;
    const userId = await this.#user(user);
    const accounts: { id: string; identityId: string }[] = [];
    for (const place of places) accounts.push(await this.#account(user, place));
    const { bytes, sha256 } = this.#file();
    const mediaId = uuidv7();
    const path = join(world.folder, `${mediaId}.mp4`);
    await writeFile(path, bytes);
    await storage.adopt(`video/${mediaId}`, path);
    const facts = { ...FACTS, ...MORE_FACTS, bytes: bytes.length, pixelFormat: 'yuv420p', hdr: false, hasAudio: true };
    const id = uuidv7();
    const identities = accounts.map(({ identityId }) => identityId);
    await db.transaction(async (tx) => {
      await lockLanes(tx, identities);
      await tx.execute(
        `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state)
         values ($1, $2, $3, $4, $5, $6, $7, 'stored')`,
        [mediaId, userId, `video/${mediaId}`, `${mediaId}.jpg`, bytes.length, sha256, facts],
      );
      const post = { id, userId, originId: id };
      const date = await insertPost(tx, {
        ...post,
        mediaId,
        description: text,
        previewTimeMs: 0,
        scheduled: false,
        at: null,
      });
      const targets = accounts.map((account) => ({
        id: uuidv7(),
        accountId: account.id,
        identityId: account.identityId,
      }));
      await insertTargets(tx, { ...post, date, text }, targets, say('queued_by_rule'));
      await lowerLanes(tx, identities, userId);
    });
    this.#posts.push({ id, user });
  }

  async #phone(
    on: Place,
    text: string,
    {
      age = 0,
      hidden = 0,
      isPrivate = false,
    }: { age?: number | undefined; hidden?: number | undefined; isPrivate?: boolean | undefined },
  ): Promise<void> {
    const { world } = this.#parts;
    const { content, bytes } = this.#file();
    const now = (await world.db.clock.now()).getTime();
    const publishedAt = now - age;
    const call = {
      ...{
        bytes,
        text,
        publishedAt,
        hiddenMs: hidden,
        audience: isPrivate ? ('limited' as const) : ('public' as const),
      },
      video: { durationMs: 6_000, width: 90, height: 160 },
    };
    const { id } = await postFromPhone(world.simulator, this.#username(on), call);
    this.#observer.items.push({
      ...{
        id,
        content,
        on,
        texts: [text],
        isPublic: !isPrivate,
        visibleAt: now + hidden,
        removedAt: null,
        isPhone: true,
      },
      at: boundsOf(publishedAt),
    });
  }

  /** Runs one kind of loop once. A crash cuts it off from the database before some statement. */
  async #run({ job, steps, end, send }: Extract<Command, { do: 'run' }>): Promise<void> {
    const { world } = this.#parts;
    let left = end === 'crash' ? 1 + steps * 2 : Number.POSITIVE_INFINITY;
    if (job === 'publish' && send) this.#jobs.breakSend(send);
    const work = this.#jobs.run(job, () => left-- <= 0);
    if (end === 'stall') {
      this.#running.push(work.catch(() => {}));
      return;
    }
    await work.catch(() => {});
    this.#count(end);
    world.simulator.faults.clear();
  }

  async #settle(): Promise<void> {
    // Simulated accounts are checked every few seconds, so there is always a check that is due soon.
    await this.#jobs.run('watch');
    for (let turns = 0; turns < 30; turns++) {
      let count = 0;
      for (const job of ['publish', 'match', 'file', 'fire'] as const) count += await this.#jobs.run(job);
      if (count === 0) return;
    }
  }

  async #finish(): Promise<void> {
    const { world } = this.#parts;
    let end = (await world.db.clock.now()).getTime() + 5 * HOUR;
    for (let turns = 0; ; turns++) {
      await Promise.allSettled(this.#running.splice(0));
      await this.#settle();
      const [row] = await world.db.query<{ now: Date; next: Date | null }>(
        `select app_now() as now, min(at) as next from (
           select greatest(t.due_at, l.lease_until) as at from target t join lane l on l.identity_id = t.identity_id
             where t.due_at is not null and t.user_id = any($1::uuid[])
           union all select greatest(due_at, lease_until) from firing where due_at is not null and user_id = any($1::uuid[])
           union all select greatest(due_at, lease_until) from source_file where due_at is not null and user_id = any($1::uuid[])
           union all select greatest(due_at, lease_until) from watched_post where due_at is not null
             and identity_id = any($2::uuid[])) due`,
        [this.#users, [...this.#accounts.values()].map(({ identityId }) => identityId)],
      );
      const now = row?.now.getTime() ?? 0;
      if (now >= end && !row?.next) return;
      // What is posted late must be found, too.
      if (row?.next) end = Math.max(end, row.next.getTime() + HOUR);
      if (turns > 600) throw new Error('Work remains forever.');
      const next = row?.next ? row.next.getTime() - now : Number.POSITIVE_INFINITY;
      const check = now < end ? HOUR : Number.POSITIVE_INFINITY;
      await world.advance(Math.max(SECOND, Math.min(next, check)));
    }
  }
}

/** Ignores errors with these codes. */
function unless(...codes: string[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof ReelayError && codes.includes(error.code)) return null;
    throw error;
  };
}
