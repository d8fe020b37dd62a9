/**
 * Runs generated histories on the real service code and judges them by the reference model: a real database, the real
 * publisher and loops, and simulated platforms that phones post to. Workers crash by losing their database.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { loadPlans } from '../../src/config/plans.ts';
import { ReelayError } from '../../src/errors.ts';
import { uuidv7 } from '../../src/ids.ts';
import type { MediaTools } from '../../src/media/tools.ts';
import { say } from '../../src/messages/timeline.ts';
import { NetworkError } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { cancelPost, removePost, retryPost } from '../../src/posts/change.ts';
import { insertPost, insertTargets } from '../../src/posts/store.ts';
import { lockLanes, lowerLanes } from '../../src/queue/lane-locks.ts';
import { repostByHand } from '../../src/reposts/by-hand.ts';
import { completeOptions, type GivenOptions, mergeOptions } from '../../src/reposts/options/rule-options.ts';
import { addRule, deleteRule, editRule, pauseRule } from '../../src/reposts/service.ts';
import { HOUR, MINUTE, SECOND } from '../../src/time.ts';
import { readCatalog } from '../../src/watching/catalog.ts';
import { renderMessage } from '../harness/message.ts';
import { gated } from '../harness/world.ts';
import { makeVideo } from '../media/fixtures.ts';
import { FactRecorder, type ModelAccount, type ModelRule, type SeenPost } from './database-facts.ts';
import { createLoop } from './database-jobs.ts';
import { setAudience, traitsOf } from './database-platforms.ts';
import { createModelWorld, type ModelWorld } from './database-world.ts';
import {
  type Command,
  type GeneratedHistory,
  type GeneratedOptions,
  type Job,
  type Length,
  PLATFORMS,
  SECONDS,
  type Words,
} from './history-generator.ts';
import type { Facts } from './reference/facts.ts';

export interface ReferenceDatabase {
  /** Runs a history. @returns what happened, and unexpected errors in words */
  run(history: GeneratedHistory): Promise<{ facts: Facts; errors: string[] }>;
  close(): Promise<void>;
}

/** Serves histories one after the other, each with new users and accounts. */
export async function createReferenceDatabase(tools: MediaTools): Promise<ReferenceDatabase> {
  const world = await createModelWorld(PLATFORMS, tools);
  const films = {} as Record<Length | 'square', Buffer>;
  const shape = { width: 540, height: 960, fps: 25, picture: 'plain' } as const;
  for (const [name, seconds] of Object.entries(SECONDS))
    films[name as Length] = await readFile(await makeVideo({ ...shape, seconds }));
  films.square = await readFile(await makeVideo({ ...shape, width: 540, height: 540, seconds: 6 }));
  let count = 0;
  return {
    run: (history) => new ReferenceRun(world, films, `h${++count}`).run(history),
    close: () => world.close(),
  };
}

const MEDIA_FACTS = {
  ...{ container: 'mp4', mime: 'video/mp4', codedWidth: 540, codedHeight: 960, width: 540, height: 960, rotation: 0 },
  ...{ fps: 25, videoCodec: 'h264', audioCodec: 'aac', pixelFormat: 'yuv420p', hdr: false, hasAudio: true },
};
/** "An account is checked every 1 to 15 minutes." Simulated accounts are checked more often than that. */
const CHECK_MS = 14 * MINUTE;
/** How long a dead worker's claims are kept from others. */
const LEASES_MS = 15 * MINUTE;

class ReferenceRun {
  readonly #world: ModelWorld;
  readonly #films: Record<Length | 'square', Buffer>;
  readonly #name: string;
  readonly #facts: FactRecorder;
  readonly #errors: string[] = [];
  readonly #outages: { platform: string; until: number; remove(): void }[] = [];
  /** Faults that wait for the next send to a platform. */
  readonly #broken: { platform: string; kind: 'rejected' | 'unknown'; isHit(): boolean }[] = [];
  /** Platforms that fail let accounts connect. */
  #isConnecting = false;
  #contents = 0;
  #busy = 0;

  constructor(world: ModelWorld, films: Record<Length | 'square', Buffer>, name: string) {
    this.#world = world;
    this.#films = films;
    this.#name = name;
    this.#facts = new FactRecorder(world, (place) => this.#username(place));
  }

  async run(history: GeneratedHistory): Promise<{ facts: Facts; errors: string[] }> {
    const { db, simulators, bugs } = this.#world;
    this.#facts.startedAt = await this.#world.now();
    try {
      for (const command of history) {
        await this.#execute(command);
        await this.#facts.observe();
      }
      await this.#work(2.25 * HOUR);
      const found = bugs.splice(0).map((bug) => `unexpected error: ${(bug as Error).stack}`);
      return { facts: await this.#facts.facts(), errors: [...this.#errors, ...found] };
    } finally {
      for (const { faults } of simulators.values()) faults.clear();
      // The next history must not wait for this one's work.
      await db.execute('delete from rule where user_id = any($1::uuid[])', [this.#facts.userIds]);
      await db.execute(
        'update target set due_at = null, state = $2, settled_at = app_now() where due_at is not null and user_id = any($1::uuid[])',
        [this.#facts.userIds, 'failed'],
      );
      await db.execute('update watch set due_at = null, lease_until = null');
      await db.execute('update watched_post set due_at = null where due_at is not null');
    }
  }

  #username = (place: number) => `${this.#name}p${place}`;

  async #user(user: number): Promise<string> {
    const { userIds } = this.#facts;
    while (userIds.length <= user) {
      const [row] = await this.#world.db.query<{ id: string }>(
        `insert into auth."user" (name, email, plan) values ('U', uuid_v7()::text, 'PRO') returning id`,
      );
      userIds.push(row?.id ?? '');
    }
    return userIds[user] ?? '';
  }

  /** The account of a user at a place, which is connected if it never was. */
  async #account(user: number, place: number): Promise<ModelAccount> {
    const known = this.#facts.accounts.find((each) => each.user === user && each.place === place);
    return known ?? this.#connect(user, place);
  }

  async #connect(user: number, place: number): Promise<ModelAccount> {
    const platform = PLATFORMS[place] ?? '';
    const { audience } = traitsOf(platform);
    const privacy = audience?.open ?? 'public';
    this.#isConnecting = true;
    const [connected] = await this.#world.steady.accounts
      .connectSandbox({
        userId: await this.#user(user),
        platform,
        username: this.#username(place),
        privacy,
        actor: 'test',
      })
      .finally(() => {
        this.#isConnecting = false;
      });
    const [row] = await this.#world.db.query<{ id: string; identityId: string; username: string }>(
      'select id, identity_id as "identityId", username from account where id = $1',
      [connected?.id],
    );
    if (!row) throw new Error(`${platform} gave no account.`);
    const now = await this.#world.now();
    const known = this.#facts.accounts.find(({ id }) => id === row.id);
    if (known) {
      known.facts.states.push({ from: now, state: 'connected' });
      if (audience) known.facts.privacy.push({ from: now, value: privacy });
      return known;
    }
    const account = {
      ...row,
      user,
      place,
      facts: {
        id: row.id,
        user: await this.#user(user),
        identity: this.#facts.identityOf(place),
        states: [{ from: now, state: 'connected' as const }],
        privacy: audience ? [{ from: now, value: privacy }] : [],
      },
    };
    this.#facts.accounts.push(account);
    return account;
  }

  async #execute(command: Command): Promise<void> {
    const { db, connectors, steady } = this.#world;
    const facts = this.#facts;
    switch (command.do) {
      case 'addRule':
        return this.#addRule(command);
      case 'setOptions': {
        const rule = this.#rule(command.rule);
        return rule && this.#setOptions(rule, { ...RESET, ...command.options });
      }
      case 'pause':
      case 'resume': {
        const rule = this.#rule(command.rule);
        return rule && pauseRule({ db, connectors }, rule.facts.user, rule.id, command.do === 'pause');
      }
      case 'deleteRule': {
        const rule = this.#rule(command.rule);
        if (!rule) return;
        await facts.readRules();
        await deleteRule(db, rule.facts.user, rule.id);
        return this.#end(rule);
      }
      case 'select':
        return this.#select(command);
      case 'post':
        return this.#post(command);
      case 'hand': {
        await this.#hand(command.on, this.#text(command.words), command);
        return;
      }
      case 'share':
        return this.#share(command);
      case 'busy': {
        const count = Math.min(command.count, 30 - this.#busy);
        this.#busy += Math.max(0, count);
        for (let i = 0; i < count; i++) await this.#hand(command.on, this.#text('own'), { length: 'short' });
        return;
      }
      case 'edit':
      case 'remove':
      case 'hide':
      case 'show':
        return this.#change(command);
      case 'deleteEntry':
      case 'cancel':
        return this.#removeEntry(command);
      case 'retry':
        return this.#retry(command);
      case 'byHand':
        return this.#byHand(command);
      case 'expire': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        if (account?.facts.states.at(-1)?.state !== 'connected') return;
        await db.execute(`update account set status = 'EXPIRED' where id = $1`, [account.id]);
        account.facts.states.push({ from: await this.#world.now(), state: 'expired' });
        return;
      }
      case 'disconnect': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        if (!account || account.facts.states.at(-1)?.state === 'disconnected') return;
        await facts.readRules();
        await steady.accounts.disconnect({ userId: account.facts.user, accountId: account.id, actor: 'test' });
        account.facts.states.push({ from: await this.#world.now(), state: 'disconnected' });
        return;
      }
      case 'reconnect': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        if (account && account.facts.states.at(-1)?.state !== 'connected')
          await this.#connect(command.user, command.on);
        return;
      }
      case 'audience': {
        const account = facts.accounts.find((each) => each.user === command.user && each.place === command.on);
        const { audience } = traitsOf(PLATFORMS[command.on] ?? '');
        if (!account || !audience?.isChoice || account.facts.states.at(-1)?.state !== 'connected') return;
        const value = command.limited ? audience.limited : audience.open;
        const choices = { [audience.option]: value };
        await steady.accounts.setChoices({ userId: account.facts.user, accountId: account.id, choices, actor: 'test' });
        account.facts.privacy.push({ from: await this.#world.now(), value });
        return;
      }
      case 'outage':
        return this.#outage(PLATFORMS[command.on] ?? '', command.ms);
      case 'send':
        return this.#breakSend(PLATFORMS[command.on] ?? '', command.ends);
      case 'work':
        return this.#work(command.ms);
      case 'down':
      case 'jump': {
        const at = await this.#world.now();
        await this.#world.advance(command.ms);
        if (command.do === 'jump') facts.jumps.push({ at, byMs: command.ms });
        else facts.outages.push({ from: at, to: at + command.ms });
        return;
      }
      case 'crash':
        return this.#crash(command.job, command.statements);
    }
  }

  /** The rule with this number among those that exist. */
  #rule(number: number): ModelRule | undefined {
    const now = this.#facts.rules.filter(({ facts }) => facts.deletedAt === null && !this.#isEnded(facts));
    return now[number % Math.max(1, now.length)];
  }

  /** Whether the accounts of a rule were removed, and the rule with them. */
  #isEnded({ source, destinations, addedAt }: ModelRule['facts']): boolean {
    const isGone = (id: string) =>
      this.#facts.accounts
        .find((account) => account.id === id)
        ?.facts.states.some(({ state, from }) => state === 'disconnected' && from > addedAt) ?? false;
    return isGone(source) || destinations.every(isGone);
  }

  async #end({ facts }: ModelRule): Promise<void> {
    facts.deletedAt = await this.#world.now();
    const open = facts.active.at(-1);
    if (open) open.to ??= facts.deletedAt;
  }

  async #addRule({ user, from, to, options = {}, limited }: Extract<Command, { do: 'addRule' }>): Promise<void> {
    const { db, connectors } = this.#world;
    const source = await this.#account(user, from);
    const destinations: ModelAccount[] = [];
    for (const place of to) destinations.push(await this.#account(user, place));
    const privacy = Object.fromEntries(
      destinations.flatMap(({ id, place }) => {
        const { audience } = traitsOf(PLATFORMS[place] ?? '');
        return limited && audience?.isChoice ? [[id, audience.limited]] : [];
      }),
    );
    const given = { ...options, ...(Object.keys(privacy).length > 0 && { privacy }) };
    const request = { from: source.id, to: destinations.map(({ id }) => id), options: given };
    const deps = { db, config: { plans: loadPlans(undefined), sandbox: true }, connectors };
    const at = await this.#world.now();
    const result = await addRule(deps, await this.#user(user), request).then(
      (id) => ({ id }),
      (error: unknown) => ({ code: (error as ReelayError).code }),
    );
    if ('code' in result) {
      const refusal = {
        user: await this.#user(user),
        source: source.id,
        destinations: request.to,
        at,
        code: result.code,
      };
      this.#facts.refusedRules.push(refusal);
      return;
    }
    const { id } = result;
    const [row] = await db.query<{ at: Date }>('select created_at as at from rule where id = $1', [id]);
    const addedAt = row?.at.getTime() ?? 0;
    this.#facts.rules.push({
      id,
      user,
      facts: {
        ...{ id, user: await this.#user(user), source: source.id, destinations: request.to, addedAt, deletedAt: null },
        ...{ options: [{ from: addedAt, value: optionsFacts(given) }], active: [{ from: addedAt, to: null }] },
        between: 'skip',
      },
    });
  }

  async #setOptions(rule: ModelRule, options: GivenOptions, items?: string[]): Promise<void> {
    const { db, connectors } = this.#world;
    const [row] = await db.query<{ options: object }>('select options from rule where id = $1', [rule.id]);
    await editRule({ db, connectors }, rule.facts.user, rule.id, options);
    const value = optionsFacts(mergeOptions(row?.options ?? {}, options));
    const selected = rule.facts.options.at(-1)?.value.backCatalog ?? null;
    if (items && options.backCatalog)
      value.backCatalog = {
        order: options.backCatalog.order ?? 'oldest',
        perDay: options.backCatalog.perDay ?? 1,
        items,
      };
    else value.backCatalog = selected;
    rule.facts.options.push({ from: await this.#world.now(), value });
  }

  /** Lists older posts of the source as its owner does, and selects all that the rule has not seen. */
  async #select({ rule: number, perDay, order }: Extract<Command, { do: 'select' }>): Promise<void> {
    const { db, steady } = this.#world;
    const rule = this.#rule(number);
    const source = rule && this.#facts.accounts.find(({ id }) => id === rule.facts.source);
    if (!rule || source?.facts.states.at(-1)?.state !== 'connected') return;
    const account = {
      ...{ accountId: source.id, identityId: source.identityId, userId: source.facts.user, sandbox: true },
      ...{ platform: PLATFORMS[source.place] ?? '', service: '' },
    };
    const page = await readCatalog({ db, sessions: steady.accounts.sessions }, account, '').catch(() => null);
    await this.#job('match');
    const rows = await db.query<{ id: string; remoteId: string; at: Date }>(
      `select id, remote_id as "remoteId", published_at as at from watched_post w where identity_id = $1
         and state in ('foreign', 'echo') and published_at < $2
         and not exists (select from firing f where f.rule_id = $3 and f.origin_id = w.origin_id) order by id limit 6`,
      [source.identityId, new Date(rule.facts.addedAt - 2 * SECOND), rule.id],
    );
    if (!page || rows.length === 0) return;
    const items = rows.flatMap(
      ({ remoteId }) =>
        this.#facts.seen.find((post) => post.place === source.place && sameId(post.remoteId, remoteId))?.facts.id ?? [],
    );
    const backCatalog = { order, perDay, items: rows.map(({ id }) => id) };
    await this.#setOptions(rule, { backCatalog }, items).catch(unless('invalid_request'));
  }

  #text(words: Words): string {
    switch (words) {
      case 'own':
        return `Clip ${this.#name} ${this.#contents}`;
      case 'same':
        return `My trip to ${this.#name} Rome #travel`;
      case 'alike':
        return `MY TRIP, to ${this.#name}: Rome! #travel 🎉`;
      case 'tagged':
        return `A secret ${this.#name} ${this.#contents} of @kim #home`;
      case 'none':
        return '';
    }
  }

  /** The bytes of a new video. */
  #film(
    length: Length,
    square = false,
  ): { bytes: Buffer; sha256: Buffer; video: { id: string; durationMs: number; isVertical: boolean } } {
    const content = this.#contents++;
    const label = Buffer.alloc(80_000, `${this.#name} ${content} `);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + label.length);
    head.write('free', 4);
    const bytes = Buffer.concat([this.#films[square ? 'square' : length], head, label]);
    const sha256 = createHash('sha256').update(bytes).digest();
    const durationMs = square ? 6_000 : SECONDS[length] * 1_000;
    const video = { id: `video ${content}`, durationMs, isVertical: !square };
    this.#facts.videos.set(sha256.toString('hex'), video);
    return { bytes, sha256, video };
  }

  async #post({
    user,
    to,
    words,
    length,
    captions = [],
    limited = [],
    in: wait,
  }: Extract<Command, { do: 'post' }>): Promise<void> {
    const { db, folder, storage } = this.#world;
    const userId = await this.#user(user);
    const accounts: ModelAccount[] = [];
    for (const place of to) {
      const account = await this.#account(user, place);
      if (account.facts.states.at(-1)?.state === 'connected') accounts.push(account);
    }
    if (accounts.length === 0) return;
    const text = this.#text(words);
    const { bytes, sha256, video } = this.#film(length);
    const mediaId = uuidv7();
    const path = join(folder, `${mediaId}.mp4`);
    await writeFile(path, bytes);
    await storage.adopt(`video/${mediaId}`, path);
    const facts = {
      ...MEDIA_FACTS,
      bytes: bytes.length,
      durationMs: video.durationMs,
      lastFrameMs: video.durationMs - 40,
    };
    const id = uuidv7();
    const sentAt = await this.#world.now();
    const at = wait ? sentAt + wait : null;
    const targets = accounts.map(({ id: accountId, identityId, place }) => {
      const { audience } = traitsOf(PLATFORMS[place] ?? '');
      const privacy = limited.includes(place) && audience ? audience.limited : null;
      const caption = captions.includes(place) ? `Here only: ${this.#name} ${this.#contents} ${place}` : null;
      const options = privacy && audience ? { [audience.option]: privacy } : {};
      return { id: uuidv7(), accountId, identityId, caption, options, privacy };
    });
    const lanes = targets.map(({ identityId }) => identityId);
    await db.transaction(async (tx) => {
      await lockLanes(tx, lanes);
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
        scheduled: at !== null,
        at,
      });
      await insertTargets(tx, { ...post, date, text }, targets, say('queued'));
      await lowerLanes(tx, lanes, userId);
    });
    this.#facts.posts.push({
      ...{ id, user: userId, video, text, sentAt, scheduledFor: at },
      targets: targets.map(({ accountId, caption, privacy }) => ({
        account: accountId,
        text: caption,
        privacy,
        outcome: { kind: 'pending' },
        changes: { edits: [], absent: [], audience: [] },
      })),
    });
  }

  async #hand(
    place: number,
    text: string,
    {
      length,
      age = 0,
      hidden = 0,
      limited,
      square,
    }: Pick<Extract<Command, { do: 'hand' }>, 'length' | 'age' | 'hidden' | 'limited' | 'square'>,
  ): Promise<SeenPost> {
    const platform = PLATFORMS[place] ?? '';
    const simulator = this.#world.simulators.get(platform);
    if (!simulator) throw new Error(`${platform} is not simulated.`);
    const { audience } = traitsOf(platform);
    const { bytes, video } = this.#film(length, square);
    const publishedAt = (await this.#world.now()) - age;
    const isPublic = !limited || audience === null;
    const shape = { durationMs: video.durationMs, width: 540, height: square ? 540 : 960 };
    const call = {
      bytes,
      text,
      publishedAt,
      hiddenMs: hidden,
      video: shape,
      audience: isPublic ? 'public' : 'limited',
    } as const;
    const { id } = await postFromPhone(simulator, this.#username(place), call);
    this.#facts.hiddenMs[place] = Math.max(this.#facts.hiddenMs[place] ?? 0, hidden + age);
    await this.#facts.observe();
    const post = this.#facts.seen.find((each) => each.place === place && sameId(each.remoteId, id));
    if (!post) throw new Error(`${platform} does not show ${id}.`);
    const { facts, changes } = post;
    // A title is never empty on YouTube.
    if (platform === 'youtube' && text === '') facts.text = 'Video';
    facts.by = { kind: 'hand', handPost: facts.id };
    facts.at = publishedAt;
    this.#facts.hands.push({
      ...{ id: facts.id, identity: facts.identity, video, text: facts.text, at: publishedAt, isPublic, changes },
    });
    return post;
  }

  /** The post with this number among those that are on platforms. */
  #item(number: number): SeenPost | undefined {
    const there = this.#facts.seen.filter(({ isThere }) => isThere);
    return there[number % Math.max(1, there.length)];
  }

  async #share({ item: number, on }: Extract<Command, { do: 'share' }>): Promise<void> {
    const item = this.#item(number);
    if (!item || item.place === on || item.facts.by.kind === 'share') return;
    const { durationMs } = item.facts.video;
    const length = (Object.keys(SECONDS) as Length[]).find((name) => SECONDS[name] * 1_000 === durationMs) ?? 'short';
    const post = await this.#hand(on, item.facts.text, { length });
    this.#facts.hands.pop();
    post.facts.by = { kind: 'share', of: item.facts.id };
    post.facts.video = { ...post.facts.video };
    this.#facts.sharesTo[item.place]?.push(this.#facts.identityOf(on));
  }

  async #change({
    do: change,
    item: number,
  }: Extract<Command, { item: number; do: 'edit' | 'remove' | 'hide' | 'show' }>): Promise<void> {
    const item = this.#item(number);
    const platform = PLATFORMS[item?.place ?? 0] ?? '';
    const simulator = this.#world.simulators.get(platform);
    if (!item || !simulator || item.facts.by.kind === 'share') return;
    const { phone } = simulator.simulator;
    const username = this.#username(item.place);
    const { changes } = item;
    const at = await this.#world.now();
    if (change === 'edit') {
      if (!phone?.edit) return;
      const text = `Edited ${this.#name} ${item.remoteId.split('/').at(-1)} ${changes.edits.length}`;
      await phone.edit(username, item.remoteId, text);
      changes.edits.push({ at, text });
    } else if (change === 'remove') {
      await phone?.remove(username, item.remoteId);
      changes.absent.push({ from: at, to: null });
      item.isThere = false;
    } else {
      const isPublic = change === 'show';
      if (await setAudience(simulator, { platform, id: item.remoteId, isPublic }))
        changes.audience.push({ at, isPublic });
    }
  }

  async #removeEntry({ do: how, entry: number }: Extract<Command, { do: 'deleteEntry' | 'cancel' }>): Promise<void> {
    const { db } = this.#world;
    const ids = [...this.#facts.entries].filter(([, { goneAt }]) => goneAt === null).map(([id]) => id);
    const id = ids[number % Math.max(1, ids.length)];
    const [row] = await db.query<{ user: string }>('select user_id as "user" from post where id = $1', [id]);
    if (!id || !row) return;
    const isDone = await (how === 'cancel' ? cancelPost({ db }, row.user, id) : removePost({ db }, row.user, id)).then(
      () => true,
      unless('not_deletable', 'not_cancellable', 'unknown_post'),
    );
    if (!isDone) return;
    const at = await this.#world.now();
    this.#facts.removed.set(id, at);
    const post = how === 'cancel' && this.#facts.posts.find((each) => each.id === id);
    if (post) for (const target of post.targets) target.outcome = { kind: 'cancelled', at };
  }

  async #retry({ entry: number, duplicate }: Extract<Command, { do: 'retry' }>): Promise<void> {
    const { db, connectors } = this.#world;
    const failed = [...this.#facts.entries.values()]
      .filter(({ goneAt }) => goneAt === null)
      .flatMap(({ targets }) => [...targets.values()].filter(({ state }) => state === 'failed'));
    const target = failed[number % Math.max(1, failed.length)];
    const account = this.#facts.accounts.find(({ id }) => id === target?.account);
    if (!target || !account) return;
    const at = await this.#world.now();
    const deps = { db, connectors, wake() {}, config: { plans: loadPlans(undefined), sandbox: true } };
    const request = { platforms: [target.account], ...(duplicate && { acceptDuplicate: true }) };
    const response = await retryPost(deps as never, account.facts.user, target.post, request).then(
      () => 'accepted' as const,
      (error: unknown) => {
        const { code } = error as ReelayError;
        if (code === 'already_there' || code === 'video_gone' || code === 'not_retryable') return code;
        if (code === 'platform_not_connected') return null;
        throw error;
      },
    );
    if (!response) return;
    this.#facts.retries.push({
      entry: target.post,
      account: target.account,
      at,
      acceptDuplicate: duplicate ?? false,
      response,
    });
  }

  async #byHand({ rule: number, line }: Extract<Command, { do: 'byHand' }>): Promise<void> {
    const { db, connectors } = this.#world;
    const rule = this.#rule(number);
    if (!rule) return;
    const rows = await db.query<{ id: string }>(
      `select id from firing where rule_id = $1 and state <> 'reposted' order by created_at, id`,
      [rule.id],
    );
    const id = rows[line % Math.max(1, rows.length)]?.id;
    if (!id) return;
    const item = await this.#facts.itemOfFiring(id);
    const at = await this.#world.now();
    const deps = { db, connectors, downloads: false, renderMessage };
    const response = await repostByHand(deps, rule.facts.user, { ruleId: rule.id, itemId: id }).then(
      () => 'accepted' as const,
      (error: unknown) => {
        if ((error as ReelayError).code === 'not_repostable') return 'not_repostable' as const;
        throw error;
      },
    );
    this.#facts.handReposts.push({ rule: rule.id, item, at, response });
  }

  /** A platform refuses every request for a time. */
  async #outage(platform: string, ms: number): Promise<void> {
    const { faults } = this.#world.simulators.get(platform) ?? {};
    if (!faults) return;
    const from = await this.#world.now();
    const handle = faults.add({ when: () => !this.#isConnecting, fault: { kind: 'refusal', refusal: 'server-error' } });
    this.#outages.push({ platform, until: from + ms, remove: () => handle.remove() });
    this.#addFaults(platform, { from, to: from + ms + HOUR }, ['rejected', 'unknown', 'unreadable', 'no_file']);
  }

  #addFaults(platform: string, span: { from: number; to: number }, kinds: Facts['faults'][number]['kind'][]): void {
    for (const [place, each] of PLATFORMS.entries())
      if (each === platform)
        for (const kind of kinds) this.#facts.faults.push({ ...span, kind, identity: this.#facts.identityOf(place) });
  }

  async #breakSend(platform: string, ends: 'rejected' | 'lost' | 'void'): Promise<void> {
    const { faults } = this.#world.simulators.get(platform) ?? {};
    const { isSend } = traitsOf(platform);
    if (!faults || !isSend) return;
    const answer = { status: 422, body: { error: 'Validation failed: The model refuses it' } };
    const fault =
      ends === 'rejected'
        ? ({ kind: 'status', answer } as const)
        : ({ kind: ends === 'lost' ? 'reset-after' : 'reset-before' } as const);
    const handle = faults.add({ when: isSend, times: 1, fault });
    this.#broken.push({ platform, kind: ends === 'rejected' ? 'rejected' : 'unknown', isHit: () => handle.hits() > 0 });
  }

  /** Notes which sends met a fault since `from`. */
  async #noteBroken(from: number): Promise<void> {
    const to = (await this.#world.now()) + MINUTE;
    for (const each of this.#broken.splice(0))
      if (each.isHit()) this.#addFaults(each.platform, { from, to }, [each.kind]);
      else this.#broken.push(each);
  }

  async #job(job: Job): Promise<number> {
    const { db, steady } = this.#world;
    if (job === 'publish') return steady.runUntilIdle();
    const onBug = (error: unknown) => {
      const isExpected = error instanceof PlatformError || error instanceof NetworkError;
      if (!isExpected) this.#errors.push((error as Error).stack ?? String(error));
    };
    return createLoop(this.#world, job, { db, sessions: steady.accounts.sessions, count() {}, onBug }).runOnce();
  }

  async #crash(job: Job, statements: number): Promise<void> {
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

  /** Runs the service for a time. */
  async #work(ms: number): Promise<void> {
    const end = (await this.#world.now()) + ms;
    for (let turns = 0; ; turns++) {
      if (turns > 2_000) throw new Error('Work remains for ever.');
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
    await this.#job('watch');
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
      for (const job of due) await this.#job(job);
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

/** Options that `setOptions` resets. */
const RESET = {
  ...{ delayMinutes: null, jitterMinutes: null, quietHours: null, maxPerDay: null, zone: null, caption: null },
  filters: null,
} satisfies { [Name in keyof GeneratedOptions]: null };

const optionsFacts = (options: GivenOptions) => structuredClone(completeOptions(mergeOptions({}, options)));

const sameId = (a: string, b: string) => a === b || a.split('/').at(-1) === b.split('/').at(-1);

/** Ignores errors with these codes. */
function unless(...codes: string[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof ReelayError && codes.includes(error.code)) return null;
    throw error;
  };
}
