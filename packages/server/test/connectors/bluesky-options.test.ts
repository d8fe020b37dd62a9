import { recordFault } from '@reelay/sandbox/platforms/bluesky/lexicon.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { options } from '../../src/connectors/bluesky/limits.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { textAt } from '../../src/connectors/kit/json.ts';
import { commit, ready, startBluesky } from './bluesky-driver.ts';

const start = closedAfterTest(startBluesky);

/** Publishes a post and returns the record that the server stores. */
async function recordWith(asked: JsonObject) {
  const bluesky = await start();
  const work = await bluesky.work('Sunset run');
  const asking = { ...work, post: { ...work.post, options: asked } };
  const checkpoint = await ready(bluesky, asking);
  expect((await commit(bluesky, asking, checkpoint)).kind).toBe('done');
  return bluesky.record(textAt(checkpoint, 'frozen', 'rkey'));
}

describe('Bluesky options', () => {
  test('are optional and validated', () => {
    const all = { langs: ['en', 'pt-BR', 'zh-Hans-CN'], labels: ['sexual', 'graphic-media'] };
    expect(options.parse({})).toEqual({});
    expect(options.parse(all)).toEqual(all);
    for (const wrong of [
      { langs: [] },
      { langs: ['en', 'de', 'fr', 'it'] },
      { langs: ['English'] },
      { langs: 'en' },
      { labels: ['spam'] },
      { labels: [] },
      { nonsense: 1 },
    ])
      expect(options.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  test('are part of the record', async () => {
    expect(await recordWith({ langs: ['en', 'de'], labels: ['nudity', 'sexual', 'nudity'] })).toMatchObject({
      text: 'Sunset run',
      langs: ['en', 'de'],
      labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'nudity' }, { val: 'sexual' }] },
    });
  });

  test('leave the record unchanged when empty', async () => {
    const record = await recordWith({});
    expect(Object.keys(record ?? {}).sort()).toEqual(['$type', 'createdAt', 'embed', 'text']);
  });
});

test('the simulator accepts options as the lexicon defines them', () => {
  const fault = (labels: unknown) =>
    recordFault('app.bsky.feed.post', '3kdgeujwlq32y', { text: '', createdAt: '2026-11-21T10:00:00Z', labels });
  const of = (values: unknown) => fault({ $type: 'com.atproto.label.defs#selfLabels', values });
  expect(fault(undefined)).toBeNull();
  expect(of([{ val: 'sexual' }])).toBeNull();
  expect(fault({ values: [] })).toContain('$type');
  expect(of(undefined)).toContain('"values"');
  expect(of([{}])).toContain('"val"');
  expect(of([{ val: 1 }])).toContain('string');
  expect(of([{ val: 'x'.repeat(129) }])).toContain('128');
  expect(of(Array.from({ length: 11 }, () => ({ val: 'a' })))).toContain('array too big');
});
