/** Property tests: checking and posting give the same results for many videos, texts, options and accounts. */
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { findMisfits } from '../../src/media/rendition/findings.ts';
import { predictFacts } from '../../src/media/rendition/spec.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { parsePostFields } from '../../src/operations/post/fields.ts';
import { chooseAccounts } from '../../src/posts/accounts.ts';
import { judgeAccount, type Verdict } from '../../src/posts/check.ts';
import type { PostAccount } from '../../src/posts/post-store.ts';
import type { Reason } from '../../src/posts/types.ts';
import { captionProblemWith, missingChoice } from '../../src/publishing/suitability.ts';
import { FULL, ONE_IN, sampled, shareOf } from '../harness/draw.ts';
import { startService, type TestService } from '../harness/service.ts';
import { sendCheck } from './source-world.ts';
import { createVideoPool, type VideoPool } from './video-pool.ts';
import { sendPost } from './world.ts';

const PLATFORMS = Object.keys(connectors).sort();

/** Text fragments; some exceed a limit of a platform. */
const piece = fc.oneof(
  fc.constantFrom(
    'Sunset run',
    ' ',
    '\n',
    '#sun ',
    '@nora ',
    '@nora@example.org ',
    'https://example.org/a?b=c ',
    '🌅',
    '<b>&"',
  ),
  fc.constantFrom('夕焼け', 'é', '👩‍👩‍👧‍👦', '\u202Eلحظة', '{}[]()*_~|\\'),
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(160, 280, 300, 500, 800, 1_024, 2_200, 3_000, 5_000), fc.integer({ min: -2, max: 2 }))
      .map(([length, off]) => 'x'.repeat(Math.min(5_000, length + off))),
  },
  { weight: 1, arbitrary: fc.tuple(piece, fc.integer({ min: 1, max: 60 })).map(([one, times]) => one.repeat(times)) },
);

/** Options that platforms accept. */
const RIGHT: Readonly<Record<string, readonly object[]>> = {
  bluesky: [{ langs: ['en'] }, { labels: ['porn'] }],
  facebook: [{ title: 'First light' }],
  instagram: [{ shareToFeed: false }],
  linkedin: [{ title: 'First light' }, { visibility: 'LOGGED_IN' }],
  mastodon: [{ visibility: 'unlisted' }, { spoilerText: 'y'.repeat(300) }],
  pinterest: [{ title: 'First light', link: 'https://example.org/' }],
  snapchat: [{ saveToProfile: false }],
  telegram: [{ disableNotification: true, hasSpoiler: true }],
  threads: [{ altText: 'A sunset', spoiler: true }],
  tiktok: [{ privacy: 'SELF_ONLY' }],
  x: [{ replySettings: 'following' }, { madeWithAi: true }],
  youtube: [{ title: 'First light', privacy: 'unlisted' }],
};
/** Options that platforms reject. */
const WRONG: Readonly<Record<string, readonly object[]>> = {
  bluesky: [{ langs: ['english'] }],
  facebook: [{ title: '' }],
  instagram: [{ collaborators: ['a', 'b', 'c', 'd'] }],
  linkedin: [{ visibility: 'NOBODY' }],
  mastodon: [{ language: 'english' }],
  pinterest: [{ board: 'mine' }],
  snapchat: [{ locale: 'english' }],
  telegram: [{ hasSpoiler: 'yes' }],
  threads: [{ topicTag: '#no' }],
  tiktok: [{ privacy: 'NOBODY' }, { brandContent: true, privacy: 'SELF_ONLY' }],
  x: [{ replySettings: 'nobody' }],
  youtube: [{ title: 'x'.repeat(101) }],
};

interface Asked {
  platform: string;
  /** Whether its owner has made the required choices. */
  chosen: boolean;
  connected: boolean;
  options: object | undefined;
}
const mostly = (weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const anyPlatform = fc.constantFrom(...PLATFORMS);
const asked: fc.Arbitrary<Asked> = anyPlatform.chain((platform) =>
  fc.record({
    platform: fc.constant(platform),
    chosen: mostly(9),
    connected: mostly(29),
    options: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: text.map((caption): object => ({ caption })) },
      { weight: 3, arbitrary: fc.constantFrom(...(RIGHT[platform] ?? []), ...(WRONG[platform] ?? [])) },
      { weight: 1, arbitrary: fc.constant({ unknown: 1 }) },
    ),
  }),
);
/** A valid request, except that the text is sometimes too long. */
const askedRight: fc.Arbitrary<Asked> = anyPlatform.chain((platform) =>
  fc.record({
    platform: fc.constant(platform),
    chosen: fc.constant(true),
    connected: fc.constant(true),
    options: fc.constantFrom(undefined, { caption: 'Only here' }, ...(RIGHT[platform] ?? [])),
  }),
);

/** Form fields for these accounts. */
function fieldsOf(ids: readonly string[], description: string, asked: readonly Asked[]): [string, string][] {
  const options = asked.flatMap((each, index) => (each.options ? [[ids[index] ?? '', each.options] as const] : []));
  return [
    ['description', description],
    ...(options.length > 0 ? [['options', JSON.stringify(Object.fromEntries(options))] as [string, string]] : []),
  ];
}
const refusalsOf = <Each extends Pick<Reason, 'effect'>>(reasons: readonly Each[]) =>
  reasons.filter(({ effect }) => effect === 'refused');

const facts: fc.Arbitrary<VideoFacts> = fc
  .record({
    bytes: fc.oneof(fc.integer({ min: 20_000, max: 524_288_000 }), fc.integer({ min: 20_000, max: 2_000_000 })),
    container: fc.constantFrom('mp4', 'mov', '3gp', 'matroska', 'webm', 'mpegts', 'avi', 'flv'),
    durationMs: fc.oneof(fc.integer({ min: 2_950, max: 90_050 }), fc.constantFrom(3_000, 3_999, 4_960, 60_000, 90_000)),
    size: fc.constantFrom([1080, 1920], [540, 960], [180, 320], [2160, 3840], [90, 160], [181, 321], [360, 640]),
    rotation: fc.constantFrom<0 | 90 | 180 | 270>(0, 90, 180, 270),
    fps: fc.constantFrom(5, 10, 23.976, 24, 25, 29.97, 30, 50, 60, 120, 240),
    videoCodec: fc.constantFrom('h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'mpeg2video', 'prores'),
    audioCodec: fc.constantFrom('aac', 'mp3', 'opus', 'pcm_s16le', null),
    pixelFormat: fc.constantFrom('yuv420p', 'yuvj420p', 'yuv420p10le', 'yuv444p'),
    hdr: fc.boolean(),
    audioChannels: fc.constantFrom(1, 2, 6),
    audioRate: fc.constantFrom(8_000, 44_100, 48_000, 96_000),
    videoBitrate: fc.integer({ min: 50_000, max: 60_000_000 }),
    interlaced: fc.boolean(),
    unsteady: fc.boolean(),
    indexFirst: fc.boolean(),
  })
  .map(({ size: [width = 0, height = 0], audioCodec, audioChannels, audioRate, ...rest }) => ({
    ...rest,
    ...(audioCodec === null ? {} : { audioChannels, audioRate, audioProfile: 'LC' }),
    container: rest.container as VideoFacts['container'],
    mime: 'video/mp4',
    lastFrameMs: rest.durationMs - 40,
    width,
    height,
    codedWidth: rest.rotation % 180 === 0 ? width : height,
    codedHeight: rest.rotation % 180 === 0 ? height : width,
    audioCodec,
    hasAudio: audioCodec !== null,
  }));

test('check and post return the same error code', async () => {
  const settings = { sandbox: true, connectors };
  const accountOf = ({ platform, chosen, connected }: Asked, index: number): PostAccount => {
    const { capabilities, choices } = connectors[platform] ?? { capabilities: null, choices: [] };
    if (!capabilities) throw new Error('There is no such connector.');
    const made = Object.fromEntries(choices.map(({ name, values }) => [name, values[0]?.value ?? '']));
    return {
      id: `019a0b1c-2d3e-7f40-8a5b-${String(index).padStart(12, '0')}`,
      identityId: '',
      platform,
      service: '',
      username: 'nora',
      status: connected ? 'CONNECTED' : 'EXPIRED',
      sandbox: true,
      capabilities,
      choices: chosen ? made : {},
      choiceValues: {},
    };
  };
  const codeOf = (work: () => unknown) => {
    try {
      work();
      return null;
    } catch (error) {
      if (error instanceof ReelayError) return error.code;
      throw error;
    }
  };
  const property = fc.asyncProperty(
    text,
    fc.array(asked, { minLength: 1, maxLength: 6 }),
    facts,
    async (description, chosen, video) => {
      const accounts = chosen.map(accountOf);
      const ids = accounts.map(({ id }) => id);
      const form = new Map(fieldsOf(ids, description, chosen).map(([name, value]) => [name, [value]]));
      const fields = parsePostFields(form.set('platforms', [JSON.stringify(ids)]));
      const wanted = { ids, description: fields.description, options: fields.options };
      // Sandbox accounts have no budgets, so no database is needed.
      const needs = { connectors, config: { sandbox: true } } as unknown as Parameters<typeof judgeAccount>[0];
      const verdicts: Verdict[] = [];
      for (const account of accounts)
        verdicts.push(
          await judgeAccount(needs, account, { wanted, facts: video, at: 0, count: captionLength }, undefined),
        );
      const refused = verdicts.flatMap(({ reasons }) => refusalsOf(reasons));
      const code = codeOf(() => chooseAccounts(accounts, wanted, settings));
      if (code === null) expect(refused).toEqual([]);
      else expect(refused.map((each) => each.code)).toContain(code);
      for (const { excess, code: each } of refused) if (each === 'caption_too_long') expect(excess).toBeGreaterThan(0);
      if (code !== null) return;
      for (const [index, account] of chooseAccounts(accounts, wanted, settings).entries()) {
        const connector = connectors[account.platform];
        if (!connector) throw new Error('There is no such connector.');
        const content = { text: account.caption ?? fields.description, options: account.options };
        expect(captionProblemWith(connector, account.capabilities, content)).toBeNull();
        expect(missingChoice(connector.choices, account.choices, account.options)).toBeNull();
        const { outcome, rendition } = verdicts[index] ?? {};
        const misfits = findMisfits(account.capabilities.video, video);
        expect(connector.textProblem?.(content.text) ?? null).toBeNull();
        if (outcome === 'fits') expect(misfits).toEqual([]);
        else expect(misfits).not.toEqual([]);
        if (rendition)
          for (const made of predictFacts(rendition, video))
            expect(findMisfits(account.capabilities.video, made)).toEqual([]);
        if (outcome === 'fits') expect(rendition).toBeUndefined();
      }
    },
  );
  await fc.assert(property, { numRuns: FULL ? shareOf(20_000) : 200 });
}, 300_000);

let service: TestService;
let pool: VideoPool;
/** Sending requests that a simulator rejected: method, URL and status. */
const refusedCalls: string[] = [];
const watch = (message: unknown) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const { method, url = '' } = request;
  const { statusCode } = response;
  if (method === 'GET' || !url.startsWith('/sandbox/') || statusCode < 400) return;
  // Sent too early; the timeline shows this by its code.
  if (!/^\/sandbox\/snapchat\/.*\/spotlights$/.test(url)) refusedCalls.push(`${method} ${url} ${statusCode}`);
};
beforeAll(async () => {
  diagnostics.subscribe('http.server.response.finish', watch);
  pool = createVideoPool();
  service = await startService({ config: { leastFreeBytes: 0 } });
});
afterAll(async () => {
  diagnostics.unsubscribe('http.server.response.finish', watch);
  await service.close();
  await pool.close();
});

interface Sent {
  what: string;
  id: string;
  verdicts: ShownVerdict[];
}

/** Checks a post, creates it, and compares both responses. @returns the post, if created */
async function checkAndPost(number: number, name: string, description: string, asked: readonly Asked[]) {
  const user = await service.newUser();
  const ids: string[] = [];
  for (const { platform, chosen, connected } of asked) {
    const request = {
      userId: user.userId,
      platform,
      username: `nora-number-${number}`,
      privacy: 'public',
      actor: 'test',
    };
    const [account] = await service.context.accounts.connectSandbox(request);
    ids.push(account?.id ?? '');
    if (!chosen) await service.db.execute(`update account set choices = '{}' where id = $1`, [account?.id]);
    if (!connected) await service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [account?.id]);
  }
  const options = { to: ids, video: await pool.path(name), fields: fieldsOf(ids, description, asked) };
  const what = `${name}, ${JSON.stringify(description.slice(0, 60))}, ${JSON.stringify(asked)}`;
  const checked = await sendCheck(user, options);
  expect(checked.status, `${what}: ${JSON.stringify(checked.body)}`).toBe(200);
  const verdicts = checked.body.result as ShownVerdict[];
  const refused = [...checked.body.reasons, ...verdicts.flatMap(({ reasons }) => refusalsOf(reasons))];
  const posted = await sendPost(user, options);
  if (posted.status !== 200) {
    expect(
      refused.map(({ code }) => code),
      what,
    ).toContain(posted.body.code);
    return null;
  }
  expect(refused, what).toEqual([]);
  return { what, id: posted.body.historyId as string, verdicts } satisfies Sent;
}

interface Ended {
  accountId: string;
  state: string;
  code: string | null;
  detail: string | null;
  timeline: { event: string; message: string; code: string | null }[];
}
const endOf = (postId: string) =>
  service.db.query<Ended>(
    `select t.account_id as "accountId", t.state, t.code, t.detail,
       (select json_agg(json_build_object('event', l.event, 'message', l.code, 'code', l.platform_code) order by l.id)
        from timeline l where l.target_id = t.id) as timeline
     from target t where t.post_id = $1`,
    [postId],
  );

/** As in the response. */
type ShownVerdict = Omit<Verdict, 'reasons'> & { reasons: (Omit<Reason, 'message'> & { message: string })[] };

/** Reported by a platform while it processes a video; the request is repeated. */
const NOT_YET = ['MEDIA_PROCESSING'];

function isAsSaid({ outcome, reasons, rendition }: ShownVerdict, target: Ended | undefined, spec: unknown): boolean {
  if (!target) return false;
  if (outcome === 'fails') {
    const why = reasons.find(({ effect }) => effect === 'fails');
    return target.state === 'failed' && target.code === why?.code && target.detail === why?.message;
  }
  const refusals = target.timeline.filter(({ code }) => code !== null && !NOT_YET.includes(code));
  return target.state === 'posted' && isDeepStrictEqual(spec, rendition) && refusals.length === 0;
}

test('a check predicts the outcome of its post', async () => {
  const seed = FULL ? Date.now() % 1_000_000 : 20_261;
  const several = { minLength: FULL ? 1 : 4, maxLength: FULL ? 12 : 7, selector: (each: Asked) => each.platform };
  const name = fc.constantFrom(...pool.names);
  const short = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
  const posts = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(name, short, fc.uniqueArray(askedRight, several)) },
    { weight: 1, arbitrary: fc.tuple(name, text, fc.uniqueArray(askedRight, several)) },
    { weight: 1, arbitrary: fc.tuple(name, text, fc.uniqueArray(asked, several)) },
  );
  const all = PLATFORMS.map((platform) => ({ platform, chosen: true, connected: true, options: undefined }));
  const runs: [string, string, Asked[]][] = [
    ['for everybody', 'For everybody', all],
    ['in WebM', '#sun '.repeat(31), [...sampled(all, ONE_IN.posted)]],
    ...fc.sample(posts, { numRuns: FULL ? shareOf(60) : 1, seed }),
  ];
  const sent: Sent[] = [];
  for (const [number, [name, description, asked]] of runs.entries()) {
    const made = await checkAndPost(number, name, description, asked);
    if (made) sent.push(made);
  }
  // By account and post. A rendition may be swept while other posts are still open.
  const specs = new Map<string, object>();
  const open = async () => {
    const made = await service.db.query<{ key: string; spec: object }>(
      `select t.account_id || ' ' || t.post_id as key, r.spec from target t join rendition r on r.id = t.rendition_id`,
    );
    for (const { key, spec } of made) specs.set(key, spec);
    return (await service.db.query('select from target where settled_at is null')).length;
  };
  await expect.poll(open, { interval: 250, timeout: FULL ? 600_000 : 120_000 }).toBe(0);
  const count: Record<string, number> = {};
  const problems: object[] = [];
  for (const { what, id, verdicts } of sent) {
    const ended = new Map((await endOf(id)).map((each) => [each.accountId, each]));
    for (const verdict of verdicts) {
      const { platform, outcome } = verdict;
      count[`${platform} ${outcome}`] = (count[`${platform} ${outcome}`] ?? 0) + 1;
      const target = ended.get(verdict.platformId);
      const spec = specs.get(`${verdict.platformId} ${id}`);
      if (!isAsSaid(verdict, target, spec)) problems.push({ what, verdict, target, spec });
    }
  }
  console.log(`seed ${seed}: ${runs.length} posts, ${sent.length} taken; ${JSON.stringify(count)}`);
  expect({ seed, problems, refusedCalls }).toEqual({ seed, problems: [], refusedCalls: [] });
}, 900_000);
