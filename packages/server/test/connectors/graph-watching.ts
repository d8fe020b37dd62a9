/** Tests of watching for the platforms of the Graph API, besides the suite of all platforms (`suites/watch.ts`). */
import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { describe, expect, test } from 'vitest';
import { FILM, phoneOf } from '../../../sandbox/test/harness/graph-phone.ts';
import type { Connector, Session, WatchedPost, WatchFlow } from '../../src/connectors/contract.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import type { RunningSimulator } from '../harness/simulator.ts';
import type { Call } from './drive.ts';
import { type Drive, failureOf } from './walk.ts';

type Watching = Required<Pick<WatchFlow, 'list' | 'file'>>;

export interface WatchedPlatform<D> {
  connector: Connector & { watch: Watching };
  /** Starts a drive that is closed after the test. */
  start(): Promise<D>;
  session(drive: D): Promise<Session>;
  /** Changes the simulator's record of a post. */
  flag(drive: D, id: string): Promise<unknown>;
  setFileLife(drive: D, fileLifeMs: number): Promise<unknown>;
  isList(call: Call): boolean;
  /** Whether this reads a single post. */
  isNode(call: Call): boolean;
  /** What a post of the phone has besides. */
  facts: Partial<WatchedPost>;
}

/** Watches an account as the service does. */
export function watching({ watch }: { watch: Watching }, { clock }: Pick<Drive, 'clock'>, session: Session) {
  const list = (cursor = '', since = clock.now - 2 * DAY) => watch.list(session, { cursor, since, mark: null });
  return {
    list,
    posts: async () => (await list()).posts,
    texts: async () => (await list()).posts.map(({ text }) => text),
    file: (remoteId: string) => watch.file(session, { remoteId, file: {} }),
    /** Downloads the file, through the client that checks the request. */
    async bytes(remoteId: string): Promise<Buffer> {
      const file = await watch.file(session, { remoteId, file: {} });
      if (file.found !== 'file') throw new Error(`There is no file: ${file.found}`);
      return download(session, file.url);
    },
  };
}

async function download({ http }: Session, url: string): Promise<Buffer> {
  const { status, text } = await http({ method: 'GET', url });
  if (status !== 200) throw new Error(text);
  return Buffer.from(text);
}

export const answering = (status: number, body: object | string): Fault => ({
  kind: 'status',
  answer: { status, body: body as object & string },
});

export function watches<D extends Drive & RunningSimulator>(platform: WatchedPlatform<D>): void {
  const begin = async () => {
    const drive = await platform.start();
    const session = await platform.session(drive);
    return { drive, session, phone: phoneOf(drive, 'nora.cuts'), ...watching(platform.connector, drive, session) };
  };
  const count = (drive: D) => drive.requests.filter(platform.isList).length;

  describe('list', () => {
    test('has a post from the phone as typed', async () => {
      const { drive, phone, list } = await begin();
      const { id, url } = await phone.post('Sunset run ☀️\n\n#sea & <b>', { publishedAt: drive.clock.now - 2_400 });
      expect(await list()).toEqual({
        posts: [
          {
            remoteId: id,
            publishedAt: drive.clock.now - 3 * SECOND,
            text: 'Sunset run ☀️\n\n#sea & <b>',
            url,
            durationMs: null,
            width: null,
            height: null,
            isPublic: true,
            file: {},
            ...platform.facts,
          },
        ],
        next: '',
      });
      expect(count(drive)).toBe(1);
      expect(platform.connector.canonicalId(id)).toBe(id);
    });

    test('has pages, and ends after an old post', async () => {
      const { drive, phone, list } = await begin();
      const { now } = drive.clock;
      for (let i = 0; i < 120; i++) await phone.post(String(i), { publishedAt: now - i * HOUR });
      const first = await list();
      expect(first.posts.map(({ text }) => Number(text))).toEqual(Array.from({ length: 50 }, (_, i) => i));
      expect(first.next).toBe('');
      const seen: string[] = [];
      let cursor = '';
      do {
        const { posts, next } = await list(cursor, now - 10 * DAY);
        seen.push(...posts.map(({ text }) => text));
        cursor = next;
      } while (cursor !== '');
      expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => String(i)));
    });

    test('shows late, edited and deleted posts', async () => {
      const { drive, phone, texts } = await begin();
      const { id } = await phone.post('first');
      await phone.post('late', { hiddenMs: MINUTE });
      expect(await texts()).toEqual(['first']);
      drive.clock.now += MINUTE;
      await phone.edit(id, 'second');
      expect((await texts()).sort()).toEqual(['late', 'second']);
      await phone.remove(id);
      expect(await texts()).toEqual(['late']);
    });

    test.each([
      [400, { error: { code: 190, error_subcode: 458, message: 'No.' } }, { kind: 'reconnect', revoked: true }],
      [400, { error: { code: 10, message: 'Missing it.' } }, { kind: 'reconnect' }],
      [400, { error: { code: 32, message: 'Too many calls.' } }, { kind: 'rateLimited' }],
      [500, { error: { code: 2, message: 'Try later.' } }, { kind: 'transient' }],
      [502, '<html>', { kind: 'transient', status: 502 }],
      [200, '[]', { kind: 'transient' }],
    ])('%i %j is a failure', async (status, body, expected) => {
      const { drive, list } = await begin();
      drive.faults.add({ when: platform.isList, times: 3, fault: answering(status, body) });
      const failure = await failureOf(list());
      expect(failure).toMatchObject(expected);
      if (typeof body === 'object') expect(failure.detail.text).toContain(body.error.message);
    });
  });

  describe('file', () => {
    test('is what the phone posted, and needs no list', async () => {
      const { drive, phone, bytes } = await begin();
      const { id } = await phone.post('x');
      expect(await bytes(id)).toEqual(FILM);
      expect(count(drive)).toBe(0);
    });

    test('has a new URL when the first one expired', async () => {
      const { drive, session, phone, file, bytes } = await begin();
      await platform.setFileLife(drive, MINUTE);
      const { id } = await phone.post('x');
      const first = await file(id);
      drive.clock.now += MINUTE;
      await expect(download(session, first.found === 'file' ? first.url : '')).rejects.toThrow('expired');
      expect(await bytes(id)).toEqual(FILM);
    });

    test('that is withheld is awaited for an hour, then missing', async () => {
      const { drive, phone, posts, file } = await begin();
      const { id } = await phone.post('x');
      await platform.flag(drive, id);
      expect(await posts()).toMatchObject([{ remoteId: id, file: {} }]);
      const text = `${platform.connector.name} does not give the file of this video, usually because of copyrighted music.`;
      expect(await failureOf(file(id))).toMatchObject({ kind: 'transient', waitMs: 10 * MINUTE, detail: { text } });
      drive.clock.now += HOUR;
      expect(await file(id)).toMatchObject({ found: 'none', why: { text } });
    });

    test('of a deleted post is gone', async () => {
      const { phone, file } = await begin();
      const { id } = await phone.post('x');
      await phone.remove(id);
      expect(await file(id)).toEqual({ found: 'gone' });
    });

    test('is not gone after another error', async () => {
      const { drive, phone, file } = await begin();
      const { id } = await phone.post('x');
      const body = { error: { code: 4, message: 'Too many calls.' } };
      drive.faults.add({ when: platform.isNode, times: 1, fault: answering(400, body) });
      expect(await failureOf(file(id))).toMatchObject({ kind: 'rateLimited' });
    });
  });
}
