/** Contract tests for every implementation of the simulator store. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublishedEntry } from '../../src/contract.ts';
import type { SandboxStore } from '../../src/store/store.ts';

export interface StoreUnderTest {
  /** Opens the store of a platform on shared storage. A second call with the same name acts as a second process. */
  open(platform: string): SandboxStore;
  close(): Promise<void>;
}

export function storeSuite(name: string, start: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let ground: StoreUnderTest;
    let next = 0;
    const platform = () => `platform${++next}`;
    beforeAll(async () => {
      ground = await start();
    });
    afterAll(() => ground.close());

    const entry = (id: string, text = 'hello'): PublishedEntry => ({
      id,
      username: 'nora',
      text,
      url: `https://example.org/${id}`,
      publishedAt: 1,
      bytes: 2,
      sha256: 'ab',
      blobs: ['a', 'b'],
      mime: 'video/mp4',
    });

    test('returns a record unchanged, and no other record', async () => {
      const store = ground.open(platform());
      await store.put('kind', 'key', { a: [1, null, 'x'], b: { c: true } });
      expect(await store.get('kind', 'key')).toEqual({ a: [1, null, 'x'], b: { c: true } });
      for (const [kind, key] of [
        ['kind', 'other'],
        ['other', 'key'],
      ] as const)
        expect(await store.get(kind, key)).toBeUndefined();
      expect(await ground.open(platform()).get('kind', 'key')).toBeUndefined();
    });

    test('stores any JSON with any characters', async () => {
      const store = ground.open(platform());
      const rough = fc.string({ unit: 'binary', maxLength: 20 });
      const halves = fc.constantFrom('\u0000', '\ud800', '\udfff', '\\u0000', '~json', '😀', '');
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), rough, halves, async (value, a, b) => {
          const record = { value, [`k${a}${b}`]: `${a}${b}` };
          await store.put('kind', 'key', record);
          expect(await store.get('kind', 'key')).toEqual(JSON.parse(JSON.stringify(record)));
        }),
        { numRuns: 100 },
      );
    });

    test('stores numbers, strings and lists as records', async () => {
      const store = ground.open(platform());
      for (const value of [0, 7.5, '', 'text', [], false, { '~json': '~json' }]) {
        await store.put('kind', 'key', value);
        expect(await store.get('kind', 'key')).toEqual(value);
      }
    });

    test('changing a returned value does not change the store', async () => {
      const store = ground.open(platform());
      const mine = { list: [1] };
      await store.put('kind', 'key', mine);
      mine.list.push(2);
      (await store.get<typeof mine>('kind', 'key'))?.list.push(3);
      const changed = await store.change<typeof mine>(
        'kind',
        'key',
        (current) => current && { list: [...current.list, 4] },
      );
      changed?.list.push(5);
      expect(await store.get('kind', 'key')).toEqual({ list: [1, 4] });
    });

    test('insert writes only once', async () => {
      const store = ground.open(platform());
      const first = await Promise.all([1, 2, 3].map((value) => store.insert('kind', 'key', value)));
      expect(first.filter(Boolean)).toHaveLength(1);
      expect(await store.insert('kind', 'key', 4)).toBe(false);
      expect(await store.get('kind', 'key')).toBe(first.indexOf(true) + 1);
    });

    test('change creates, updates, and leaves unchanged on undefined', async () => {
      const store = ground.open(platform());
      expect(await store.change('kind', 'key', () => undefined)).toBeUndefined();
      expect(await store.get('kind', 'key')).toBeUndefined();
      expect(await store.change<number>('kind', 'key', (n = 1) => n + 1)).toBe(2);
      expect(await store.change<number>('kind', 'key', (n = 1) => n + 1)).toBe(3);
      expect(await store.change<number>('kind', 'key', () => undefined)).toBe(3);
      expect(await store.get('kind', 'key')).toBe(3);
    });

    test('concurrent changes from two processes are all counted', async () => {
      const name = platform();
      const processes = [ground.open(name), ground.open(name)];
      const changes = Array.from({ length: 30 }, (_, i) =>
        processes[i % 2]?.change<number>('kind', 'key', (n = 0) => n + 1),
      );
      const seen = (await Promise.all(changes)).map(Number).sort((a, b) => a - b);
      expect(seen).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
      expect(await processes[0]?.get('kind', 'key')).toBe(30);
    });

    test('a change does not apply to a recreated record', async () => {
      const store = ground.open(platform());
      await store.put('kind', 'key', 'old');
      const seen: unknown[] = [];
      await Promise.all([
        store.change<string>('kind', 'key', (current) => {
          seen.push(current);
          return `${current}+`;
        }),
        store.remove('kind', 'key').then(() => store.put('kind', 'key', 'new')),
      ]);
      const last = await store.get<string>('kind', 'key');
      expect(['new', 'new+']).toContain(last);
      expect(seen.length).toBeGreaterThan(0);
    });

    test('lists are newest first, by owner or all, and limited', async () => {
      const store = ground.open(platform());
      await store.put('kind', 'a', 1, 'nora');
      await store.put('kind', 'b', 2, 'ida');
      await store.insert('kind', 'c', 3, 'nora');
      await store.change('kind', 'd', () => 4, 'nora');
      await store.put('other', 'e', 5, 'nora');
      await store.put('kind', 'a', 6);
      await store.change('kind', 'c', () => 7);
      const keys = async (options: { owner?: string; limit: number }) =>
        (await store.list<number>('kind', options)).map(({ key, value }) => `${key}${value}`);
      expect(await keys({ limit: 10 })).toEqual(['d4', 'c7', 'b2', 'a6']);
      expect(await keys({ owner: 'nora', limit: 10 })).toEqual(['d4', 'c7', 'a6']);
      expect(await keys({ owner: 'nora', limit: 2 })).toEqual(['d4', 'c7']);
      expect(await keys({ owner: 'nobody', limit: 2 })).toEqual([]);
      await store.remove('kind', 'd');
      await store.remove('kind', 'd');
      await store.put('kind', 'b', 8, 'nora');
      expect(await keys({ owner: 'nora', limit: 10 })).toEqual(['c7', 'b8', 'a6']);
    });

    test('publishing an id twice shows it twice, unless idempotent', async () => {
      const store = ground.open(platform());
      await store.publish(entry('1'));
      await store.publish(entry('1'));
      await Promise.all([store.publish(entry('2'), 'act'), store.publish(entry('2'), 'act')]);
      await store.publish(entry('3', '\u0000 \ud800 😀'), 'other act');
      const published = await store.published();
      expect(published.map(({ id }) => id)).toEqual(['1', '1', '2', '3']);
      expect(published.at(-1)).toEqual(entry('3', '\u0000 \ud800 😀'));
      expect(await ground.open(platform()).published()).toEqual([]);
    });

    test('an unpublished entry is gone and stays gone', async () => {
      const store = ground.open(platform());
      await store.publish(entry('1'), 'act');
      await store.publish(entry('2'));
      await store.unpublish('1');
      await store.unpublish('unknown');
      await store.publish(entry('1'), 'act');
      expect((await store.published()).map(({ id }) => id)).toEqual(['2']);
    });
  });
}
