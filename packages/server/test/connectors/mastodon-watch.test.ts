import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { postFromPhone } from '../../../sandbox/test/harness/phone.ts';
import { postFrom } from '../../src/connectors/mastodon/watch.ts';
import { describeWatch } from '../suites/watch.ts';
import type { Call } from './drive.ts';
import { startInstance } from './mastodon-driver.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startInstance);
const isList = ({ method, path }: Call) => method === 'GET' && /^\/api\/v1\/accounts\/\d+\/statuses/.test(path);

describeWatch({
  platform: 'mastodon',
  username: 'nora',
  pageSize: 40,
  isList,
  async start() {
    const drive = await start();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('Mastodon watched status', () => {
  const video = { id: '7', type: 'video', url: 'https://m.example/7.mp4' };
  const status = (changes: object) => ({
    id: '115',
    url: 'https://m.example/@nora/115',
    content: '<p>hi</p>',
    visibility: 'public',
    created_at: '2026-11-21T10:00:00.000Z',
    media_attachments: [video],
    ...changes,
  });

  test.each([
    ['a reply', { in_reply_to_id: '1', in_reply_to_account_id: '1' }],
    ['a boost', { reblog: { id: '1' } }],
    ['a picture', { media_attachments: [{ id: '1', type: 'image' }] }],
    ['a text', { media_attachments: [] }],
    ['no id', { id: null }],
  ])('is skipped if it is %s', (_case, changes) => {
    expect(postFrom(status(changes))).toBeNull();
    expect(postFrom(status({}))).toMatchObject({ remoteId: '115', text: 'hi', file: expect.anything() });
  });

  test.each([
    ['public', true],
    ['unlisted', true],
    ['private', false],
    ['direct', false],
    ['local', false],
    [undefined, false],
  ])('with the visibility %s is public: %s', (visibility, isPublic) => {
    expect(postFrom(status({ visibility }))?.isPublic).toBe(isPublic);
    expect(postFrom(status({ visibility, local_only: false }))?.isPublic).toBe(isPublic);
    expect(postFrom(status({ visibility, local_only: true }))?.isPublic).toBe(false);
  });

  test('with several videos has no file and says why', () => {
    const found = postFrom(status({ media_attachments: [video, { ...video, id: '8' }] }));
    expect(found).toMatchObject({ file: null, problem: { code: 'post_has_several_videos' } });
    const picture = { id: '8', type: 'image' };
    expect(postFrom(status({ media_attachments: [picture, video] }))?.problem).toBeUndefined();
  });

  test('has a plain text with line breaks, links and handles', () => {
    const link = (url: string, text: string) => `<a href="${url}" class="u-url mention">${text}</a>`;
    const content = [
      `<p>Run &amp; <span class="h-card">${link('https://b.example/@otto', '@<span>otto</span>')}</span><br>now</p>`,
      `<p>${link('https://c.example/x', '<span class="invisible">https://</span><span>c.example/x</span>')} 1 &lt; 2</p>`,
    ].join('\n');
    const mentions = [{ url: 'https://b.example/@otto', acct: 'otto@b.example', username: 'otto' }];
    const spoiler_text = 'Flashing lights';
    expect(postFrom(status({ content, mentions, spoiler_text }))?.text).toBe(
      'Flashing lights\n\nRun & @otto@b.example\nnow\n\nhttps://c.example/x 1 < 2',
    );
  });

  test('has sizes and duration if the server has them', () => {
    const original = { width: 1080, height: 1920, duration: 31.4 };
    expect(postFrom(status({ media_attachments: [{ ...video, meta: { original } }] }))).toMatchObject({
      ...{ width: 1080, height: 1920, durationMs: 31_400 },
    });
    expect(postFrom(status({}))).toMatchObject({ width: null, height: null, durationMs: null });
  });
});

describe('Mastodon watched file', () => {
  async function posted(text = 'hello') {
    const instance = await start();
    const { session } = await instance.work('unused');
    const { id } = await postFromPhone(instance, 'nora', { text });
    const publishedAt = instance.clock.now;
    const file = () => instance.connector.watch?.file?.(session, { remoteId: id, file: { publishedAt } });
    return { ...instance, id, file };
  }

  test('belongs to the current status', async () => {
    const { id, file, simulator } = await posted();
    const before = await file();
    await simulator.phone?.edit?.('nora', id, 'edited');
    expect(await file()).toEqual(before);
    expect(before).toMatchObject({ found: 'file', url: expect.stringContaining('/system/media_attachments/') });
  });

  test('is gone if the status was deleted or hidden', async () => {
    const { id, file, store, simulator, clock } = await posted();
    await store.change<{ visibility: string }>('status', id, (known) => known && { ...known, visibility: 'private' });
    expect(await file()).toEqual({ found: 'gone' });
    await simulator.phone?.remove('nora', id);
    clock.now += 301_000;
    expect(await file()).toEqual({ found: 'gone' });
  });

  test('is requested again if the status is missing', async () => {
    const { id, file, store, clock } = await posted();
    const hide = (hiddenUntil: number) =>
      store.change<object>('status', id, (known) => known && { ...known, hiddenUntil });
    await hide(clock.now + 30_000);
    const failure = await failureOf(file() ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'transient', detail: { code: 'post_not_shown_yet' } });
    clock.now += 30_000;
    expect(await file()).toMatchObject({ found: 'file' });
  });

  test('is not gone because a gateway says 404', async () => {
    const { file, faults, clock } = await posted();
    clock.now += 301_000;
    faults.add({ when: () => true, times: 1, fault: { kind: 'status', answer: { status: 404, body: '<html>' } } });
    expect(await failureOf(file() ?? Promise.resolve())).toMatchObject({ kind: 'transient', status: 404 });
  });

  test('is missing if the server lost it', async () => {
    const { id, file, faults } = await posted();
    const body = { id, visibility: 'public', media_attachments: [{ id: '7', type: 'video', url: null }] };
    faults.add({ when: () => true, times: 1, fault: { kind: 'status', answer: { status: 200, body } } });
    expect(await file()).toMatchObject({ found: 'none', why: { code: 'file_not_given' } });
  });

  test('fails with the words of the server', async () => {
    const { file, faults } = await posted();
    const response = { status: 503, body: { error: 'Wartung bis zehn' } };
    faults.add({ when: () => true, times: 1, fault: { kind: 'status', answer: response } });
    const failure = await failureOf(file() ?? Promise.resolve());
    expect(failure).toMatchObject({ kind: 'transient', detail: { text: expect.stringContaining('Wartung bis zehn') } });
  });
});
