import type { Post } from '@reelay/sandbox/platforms/linkedin/records.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { type PhoneCall, postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import type { JsonObject, Session, WatchedPost } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import { postFrom } from '../../src/connectors/linkedin/watch.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/time.ts';
import { describeWatch } from '../suites/watch.ts';
import { count, isList, isStatus, type LinkedIn, startLinkedIn } from './linkedin-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startLinkedIn);
const { watch } = connector;
let linkedin: LinkedIn;
let session: Session;
beforeEach(async () => {
  linkedin = await start();
  session = await linkedin.open(await linkedin.connect('organization'));
});

describeWatch({
  platform: 'linkedin',
  username: 'nora',
  pageSize: 100,
  isList,
  async start() {
    const drive = await start();
    return { drive, work: await drive.workAs('organization', 'made with Reelay') };
  },
});

/** Posts as the page with the phone, and lets a minute pass. */
async function filmed(text: string, call: PhoneCall = {}) {
  const posted = await postFromPhone(linkedin, 'nora', { text, ...call });
  linkedin.clock.now += MINUTE;
  return posted;
}
const list = (cursor = '') => watch.list(session, { cursor, since: linkedin.clock.now - 2 * DAY, mark: null });
const change = (urn: string, changes: Partial<Post>) =>
  linkedin.store.change<Post>('post', urn, (known) => known && { ...known, ...changes });
const fileOf = (post: WatchedPost | undefined) => {
  if (!post || !watch.file) throw new Error('There is no post.');
  return watch.file(session, post);
};

describe('the list', () => {
  test('has the posts of the page', async () => {
    const postedAt = linkedin.clock.now;
    const { id, url } = await filmed('At dusk (2) #sea @nora');
    expect((await list()).posts).toEqual([
      {
        remoteId: id.split(':').at(-1),
        publishedAt: postedAt,
        text: 'At dusk (2) #sea @nora',
        url,
        durationMs: null,
        width: null,
        height: null,
        isPublic: true,
        file: { post: id, video: expect.stringMatching(/^urn:li:video:/) },
      },
    ]);
  });

  test('is read with one request, from a budget', async () => {
    await filmed('one');
    await list();
    expect([count(linkedin, isList), linkedin.spent]).toEqual([1, ['lists']]);
  });

  test('a scheduled post is on the first page when published', async () => {
    const { id } = await filmed('scheduled', { publishedAt: linkedin.clock.now - 5 * DAY });
    for (let posts = 0; posts < 101; posts++) await filmed(`${posts}`);
    const publishedAt = linkedin.clock.now;
    await change(id, { editedAt: publishedAt, more: { publishedAt } });
    linkedin.clock.now += MINUTE;
    expect((await list()).posts[0]).toMatchObject({ text: 'scheduled', publishedAt });
  });

  test('ends once a page reaches back far enough', async () => {
    for (let posts = 0; posts < 101; posts++) await filmed(`${posts}`);
    const { next } = await watch.list(session, { cursor: '', since: linkedin.clock.now - HOUR, mark: null });
    expect(next).toBe('');
  });

  test('an edited caption keeps its id', async () => {
    const { id } = await filmed('Befor');
    await linkedin.simulator.phone?.edit?.('nora', id, 'After');
    expect((await list()).posts).toMatchObject([{ remoteId: id.split(':').at(-1), text: 'After' }]);
  });

  test('is refused for a member', async () => {
    session = await linkedin.open(await linkedin.connect('member'));
    expect(await failureOf(list())).toMatchObject({
      kind: 'rejected',
      detail: { code: 'linkedin.member_posts_hidden' },
    });
    expect(count(linkedin, isList)).toBe(0);
    expect((await linkedin.identify(await linkedin.connect('both'))).map((each) => each.capabilities.watch)).toEqual([
      'poll',
      'own',
    ]);
  });

  test('an exhausted day has LinkedIn’s words and delays no posts', async () => {
    linkedin.faults.add({ when: isList, fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } });
    const failure = await failureOf(list());
    // A rate limit of the account would close the budgets of its posts.
    expect(failure).toMatchObject({ kind: 'transient', status: 429 });
    const waitMs = 'waitMs' in failure ? failure.waitMs : undefined;
    expect(new Date(linkedin.clock.now + (waitMs ?? 0)).toISOString()).toMatch(/T00:0/);
    expect(failure.detail.text).toContain('throttle MEMBER DAY limit');
  });

  test('leaves requests for verifications', () => {
    const budget = connector.budgets.find(({ name }) => name === 'lists');
    expect(budget).toMatchObject({ limit: 150, dayIn: 'UTC' });
    // Half of a budget is left to others than the watcher.
    expect(DAY / (watch.minIntervalMs ?? 0)).toBeLessThan((budget?.limit ?? 0) / 2);
  });

  test('of a simulated page has no budget', async () => {
    session = Object.assign(session, { sandbox: true });
    await list();
    expect(linkedin.spent).toEqual([]);
  });
});

describe('a listed post', () => {
  const element = (changes: JsonObject) => ({
    id: 'urn:li:share:7300000000000000001',
    commentary: 'Run \\(2\\) {hashtag|\\#|sea}',
    content: { media: { id: 'urn:li:video:C4D' } },
    createdAt: 1_700_000_000_000,
    publishedAt: 1_700_000_000_500,
    lifecycleState: 'PUBLISHED',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [] },
    ...changes,
  });
  const read = (changes: JsonObject) => postFrom({ endpoints: connector.endpoints }, element(changes))[0];

  test.each<[string, JsonObject]>([
    ['a share of another post', { reshareContext: { parent: 'urn:li:share:1' } }],
    ['a draft', { lifecycleState: 'DRAFT' }],
    ['a picture', { content: { media: { id: 'urn:li:image:C4D' } } }],
    ['several pictures', { content: { multiImage: { images: [] } } }],
    ['a text', { content: null }],
    ['without an id', { id: null }],
    ['of another kind', { id: 'urn:li:activity:7300000000000000001' }],
  ])('is skipped if it is %s', (_name, changes) => {
    expect(read(changes)).toBeUndefined();
    expect(read({})).toMatchObject({ remoteId: '7300000000000000001', text: 'Run (2) #sea', isPublic: true });
  });

  test.each<[string, JsonObject]>([
    ['members only', { visibility: 'LOGGED_IN' }],
    ['connections', { visibility: 'CONNECTIONS' }],
    ['nobody knows whom', { visibility: null }],
    ['an audience', { distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [{ geoLocations: [] }] } }],
    ['advertisements', { distribution: { feedDistribution: 'NONE' } }],
  ])('for %s is not public', (_name, changes) => {
    expect(read(changes)?.isPublic).toBe(false);
  });

  test('has the time of publication, else that of creation', () => {
    expect(read({})?.publishedAt).toBe(1_700_000_000_500);
    expect(read({ publishedAt: null })?.publishedAt).toBe(1_700_000_000_000);
    expect(read({ publishedAt: null, createdAt: 'today' })?.publishedAt).toBeNull();
  });
});

describe('the file', () => {
  test('has a fresh URL each time', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    const urlOf = async () => {
      const found = await fileOf(post);
      return found.found === 'file' ? found.url : '';
    };
    const url = await urlOf();
    expect(await (await fetch(url)).text()).toBe('filmed by hand');
    linkedin.clock.now += 15 * MINUTE + SECOND;
    expect([(await fetch(url)).status, (await fetch(await urlOf())).status]).toEqual([403, 200]);
  });

  test.each<[string, Partial<Post>]>([
    ['limited to members', { visibility: 'LOGGED_IN' }],
    ['withdrawn', { more: { lifecycleState: 'DRAFT' } }],
  ])('of a post that is now %s is gone', async (_name, changes) => {
    const { id } = await filmed('film');
    const [post] = (await list()).posts;
    await change(id, changes);
    expect(await fileOf(post)).toEqual({ found: 'gone' });
  });

  test('of a video that LinkedIn no longer has is gone', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    await linkedin.store.remove('video', String(post?.file?.video));
    expect(await fileOf(post)).toEqual({ found: 'gone' });
  });

  test('is missing if LinkedIn gives no URL', async () => {
    await filmed('film');
    await linkedin.set({ noDownloads: true });
    const [post] = (await list()).posts;
    expect(await fileOf(post)).toMatchObject({ found: 'none', why: { code: 'file_not_given' } });
  });

  test('is awaited while LinkedIn processes the video', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    const response = { status: 200, body: { id: 'urn:li:video:1', status: 'PROCESSING' } };
    linkedin.faults.add({ when: isStatus, fault: { kind: 'status', answer: response } });
    expect(await failureOf(fileOf(post))).toMatchObject({ kind: 'transient' });
  });

  test('a lost role is a failure, not a deletion', async () => {
    await filmed('film');
    const [post] = (await list()).posts;
    await linkedin.setRoles([]);
    expect(await failureOf(fileOf(post))).toMatchObject({ kind: 'reconnect', status: 403 });
  });
});
