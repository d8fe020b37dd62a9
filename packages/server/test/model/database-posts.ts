/** Posts in histories on PostgreSQL: through the service, from phones, and shares; and their changes on platforms. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { say } from '../../src/messages/timeline.ts';
import { insertPost, insertTargets } from '../../src/posts/post-store.ts';
import { lockLanes, lowerLanes } from '../../src/queue/lane-locks.ts';
import type { FactRecorder, ModelAccount, SeenPost } from './database-facts.ts';
import { setAudience, togglePost, traitsOf } from './database-platforms.ts';
import { isSameId } from './database-targets.ts';
import type { ModelUsers } from './database-users.ts';
import type { ModelWorld } from './database-world.ts';
import { type Command, elementAt, type Length, PLATFORMS, SECONDS, type Words } from './history-generator.ts';

/**
 * Bytes of a video of each length, and of some that are not vertical. These differ in their pictures, because converted
 * files do not contain the labels of their sources.
 */
export type Films = Readonly<Record<Length, Buffer>> & { readonly square: readonly Buffer[] };

const MEDIA_FACTS = {
  ...{ container: 'mp4', mime: 'video/mp4', codedWidth: 540, codedHeight: 960, width: 540, height: 960, rotation: 0 },
  ...{ fps: 25, videoCodec: 'h264', audioCodec: 'aac', pixelFormat: 'yuv420p', hdr: false, hasAudio: true },
};

export class ModelPosts {
  readonly #world: ModelWorld;
  readonly #facts: FactRecorder;
  readonly #users: ModelUsers;
  readonly #films: Films;
  readonly #name: string;
  readonly #username: (place: number) => string;
  #contents = 0;
  topic = 0;

  /** @param name of the history, which its texts contain */
  constructor(
    parts: { world: ModelWorld; facts: FactRecorder; users: ModelUsers; films: Films },
    { name, username }: { name: string; username: (place: number) => string },
  ) {
    this.#world = parts.world;
    this.#facts = parts.facts;
    this.#users = parts.users;
    this.#films = parts.films;
    this.#name = name;
    this.#username = username;
  }

  text(words: Words): string {
    switch (words) {
      case 'own':
        return `Clip ${this.#name} ${this.#contents}`;
      case 'same':
        return `My trip ${this.topic} to ${this.#name} Rome #travel`;
      case 'alike':
        return `MY TRIP ${this.topic}, to ${this.#name}: Rome! #travel 🎉`;
      case 'tagged':
        return `A secret ${this.#name} ${this.topic} of @kim #home`;
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
    const { square: squares } = this.#films;
    const film = square ? squares[content % squares.length] : this.#films[length];
    const bytes = Buffer.concat([film ?? Buffer.alloc(0), head, label]);
    const sha256 = createHash('sha256').update(bytes).digest();
    const durationMs = square ? 6_000 : SECONDS[length] * 1_000;
    const video = { id: `video ${content}`, durationMs, isVertical: !square };
    this.#facts.videos.set(sha256.toString('hex'), video);
    return { bytes, sha256, video };
  }

  async post({
    user,
    to,
    words,
    length,
    captions = [],
    limited = [],
    in: wait,
  }: Extract<Command, { do: 'post' }>): Promise<void> {
    const { db, folder, storage } = this.#world;
    const userId = await this.#users.user(user);
    const accounts: ModelAccount[] = [];
    for (const place of to) {
      const account = await this.#users.account(user, place);
      if (account.facts.states.at(-1)?.state === 'connected') accounts.push(account);
    }
    if (accounts.length === 0) return;
    const text = this.text(words);
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
      ...{ id, user: userId, video, text, sentAt, scheduledFor: at, removedAt: null },
      targets: targets.map(({ accountId, caption, privacy }) => ({
        account: accountId,
        text: caption,
        privacy,
        outcome: { kind: 'pending' },
        changes: { edits: [], absent: [], audience: [] },
      })),
    });
  }

  async hand(
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
    const post = this.#facts.seen.find((each) => each.place === place && isSameId(each.remoteId, id));
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
    return elementAt(there, number);
  }

  async share({ item: number, on }: Extract<Command, { do: 'share' }>): Promise<void> {
    const item = this.#item(number);
    if (!item || item.place === on || item.facts.by.kind === 'share') return;
    const { durationMs } = item.facts.video;
    const length = (Object.keys(SECONDS) as Length[]).find((name) => SECONDS[name] * 1_000 === durationMs) ?? 'short';
    const post = await this.hand(on, item.facts.text, { length });
    this.#facts.hands.pop();
    post.facts.by = { kind: 'share', of: item.facts.id };
    post.facts.video = { ...post.facts.video };
    this.#facts.sharesTo[item.place]?.push(this.#facts.identityOf(on));
  }

  async change({
    do: change,
    item: number,
  }: Extract<
    Command,
    { item: number; do: 'edit' | 'remove' | 'hide' | 'show' | 'vanish' | 'restore' }
  >): Promise<void> {
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
    } else if (change === 'vanish' || change === 'restore') {
      const isThere = change === 'restore';
      const open = changes.absent.find(({ to }) => to === null);
      if (isThere === (open === undefined)) return;
      if (!(await togglePost(simulator, { platform, id: item.remoteId, isThere }))) return;
      if (open) open.to = at;
      else changes.absent.push({ from: at, to: null });
    } else {
      const isPublic = change === 'show';
      if (await setAudience(simulator, { platform, id: item.remoteId, isPublic }))
        changes.audience.push({ at, isPublic });
    }
  }
}
