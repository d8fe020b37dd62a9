import type { Status } from '@reelay/sandbox/platforms/mastodon/state.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { countedText, options } from '../../src/connectors/mastodon/limits.ts';
import { captionProblemWith } from '../../src/publishing/suitability.ts';
import { isStatus, startInstance } from './mastodon-driver.ts';
import { walkThrough } from './walk.ts';

const start = closedAfterTest(startInstance);

const ALL = { visibility: 'unlisted', sensitive: true, spoilerText: 'Loud', language: 'pt-BR' };

/** Publishes a post and returns what the server stores. */
async function publish(options: Record<string, string | boolean>, text = 'Sunset run') {
  const instance = await start();
  const walk = await walkThrough(instance, await instance.work(text, { options }));
  const [kept] = await instance.store.list<Status>('status', { limit: 5 });
  return { walk, status: kept?.value, instance };
}

describe('Mastodon options', () => {
  test('are optional and validated', () => {
    expect(options.parse({})).toEqual({});
    expect(options.parse(ALL)).toEqual(ALL);
    for (const wrong of [
      { visibility: 'everyone' },
      { sensitive: 'yes' },
      { spoilerText: '' },
      { language: 'English' },
      { nonsense: 1 },
    ])
      expect(options.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  test('are sent to the server', async () => {
    const { walk, status } = await publish(ALL);
    expect(walk.state).toBe('posted');
    expect(status).toMatchObject({
      text: 'Sunset run',
      visibility: 'unlisted',
      sensitive: true,
      spoilerText: 'Loud',
      language: 'pt-BR',
    });
  });

  test('send only the visibility when empty', async () => {
    const { instance } = await publish({});
    const [body] = instance.asked.flatMap(({ body }) =>
      body?.kind === 'bytes' && body.type.startsWith('application/json') ? [JSON.parse(String(body.bytes))] : [],
    );
    expect(Object.keys(body)).toEqual(['status', 'media_ids', 'visibility']);
  });

  test('compare the resulting visibility with the requested one', async () => {
    const instance = await start();
    await instance.set({ limited: true });
    const lesser = await walkThrough(instance, await instance.work('one', { options: { visibility: 'public' } }));
    expect(lesser.published?.detail).toBe('Posted with the visibility “unlisted”.');
    const asked = await walkThrough(instance, await instance.work('two', { options: { visibility: 'unlisted' } }));
    expect(asked.published?.detail).toBeUndefined();
  });

  test('find a followers-only post after a lost response', async () => {
    const instance = await start();
    instance.faults.add({ when: isStatus, times: 1, fault: { kind: 'reset-after' } });
    const work = await instance.work('quiet', { options: { visibility: 'private', spoilerText: 'Loud' } });
    const walk = await walkThrough(instance, work);
    expect(walk).toMatchObject({ state: 'posted' });
    expect(walk.published?.detail).toBeUndefined();
    expect(await instance.published()).toHaveLength(1);
  });
});

describe('Mastodon content warning', () => {
  const { capabilities } = connector;
  const problem = (text: string, spoilerText: string) =>
    captionProblemWith(connector, capabilities, { text, options: { spoilerText } });

  test('counts with the text', () => {
    expect(countedText('abc', { spoilerText: 'de' })).toHaveLength(5);
    expect(countedText('abc', {})).toBe('abc');
    expect(problem('a'.repeat(490), 'b'.repeat(10))).toBeNull();
    expect(problem('a'.repeat(490), 'b'.repeat(11))).toMatchObject({
      code: 'text_too_long',
      params: { value: 501, limit: 500 },
    });
  });

  test('counts as the server counts it', async () => {
    const text = 'a'.repeat(490);
    expect((await publish({ spoilerText: 'b'.repeat(10) }, text)).walk.state).toBe('posted');
    expect((await publish({ spoilerText: 'b'.repeat(11) }, text)).walk).toMatchObject({
      state: 'failed',
      failure: { kind: 'rejected', what: 'caption' },
    });
  });
});
