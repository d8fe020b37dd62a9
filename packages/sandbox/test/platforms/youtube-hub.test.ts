import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SimulatorOptions } from '../../src/contract.ts';
import { simulator } from '../../src/platforms/youtube/index.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { postFromPhone } from '../harness/phone.ts';
import { startSimulator } from '../harness/simulator.ts';

const startPlatform = closedAfterTest(startSimulator);
const CALLBACK = 'https://reelay.example/hooks/1';

type Callback = NonNullable<SimulatorOptions['callback']>;
type Called = Parameters<Callback>[1] & { url: URL };

/** @param answer what the subscriber answers, by the challenge */
async function start(answer = (challenge: string) => challenge) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const called: Called[] = [];
  const instance = await startPlatform(simulator, {
    now: () => clock.now,
    async callback(url, request) {
      const call = { ...request, url: new URL(url) };
      called.push(call);
      return { status: 200, text: answer(call.url.searchParams.get('hub.challenge') ?? '') };
    },
  });
  const { remoteId } = await instance.simulator.enrol('nora.cuts');
  const topic = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${remoteId}`;
  const ask = async (changes: Record<string, string> = {}) => {
    const usual = { callback: CALLBACK, topic, mode: 'subscribe', verify: 'async', secret: 's', lease_seconds: '60' };
    const form = new URLSearchParams();
    for (const [name, text] of Object.entries({ ...usual, ...changes })) form.set(`hub.${name}`, text);
    return (await fetch(`${instance.url}/hub/subscribe`, { method: 'POST', body: form })).status;
  };
  return { ...instance, clock, called, ask, topic, remoteId };
}

test('a verified subscriber gets signed videos until the lease ends', async () => {
  const drive = await start();
  expect(await drive.ask()).toBe(202);
  await expect.poll(() => drive.called.length).toBe(1);
  const question = Object.fromEntries(drive.called[0]?.url.searchParams ?? []);
  expect(question).toMatchObject({ 'hub.topic': drive.topic, 'hub.mode': 'subscribe', 'hub.lease_seconds': '60' });
  await expect.poll(() => drive.store.list('subscription', { limit: 9 })).toHaveLength(1);
  const { id } = await postFromPhone(drive, 'nora.cuts', { text: 'Run & <run>' });
  const { body = '', headers } = drive.called[1] ?? {};
  expect(body).toContain(`<yt:videoId>${id}</yt:videoId>`);
  expect(body).toContain(`<yt:channelId>${drive.remoteId}</yt:channelId>`);
  expect(body).toContain('<title>Run &#38; &#60;run&#62;</title>');
  expect(headers?.['x-hub-signature']).toBe(`sha1=${createHmac('sha1', 's').update(body).digest('hex')}`);
  await drive.simulator.phone?.edit?.('nora.cuts', id, 'Edited');
  expect(drive.called).toHaveLength(3);
  await postFromPhone(drive, 'nora.cuts', { audience: 'limited' });
  await postFromPhone(drive, 'other.channel');
  drive.clock.now += 60_001;
  await postFromPhone(drive, 'nora.cuts');
  expect(drive.called).toHaveLength(3);
});

test('a subscriber that does not confirm gets nothing', async () => {
  const drive = await start(() => 'no');
  expect(await drive.ask()).toBe(202);
  await expect.poll(() => drive.called.length).toBe(1);
  await postFromPhone(drive, 'nora.cuts');
  expect(drive.called).toHaveLength(1);
});

test.each([
  ['another topic', { topic: 'https://example.org/feed' }],
  ['no URL', { callback: 'x' }],
  ['an unknown mode', { mode: 'ask' }],
  ['a long secret', { secret: 's'.repeat(200) }],
])('a request with %s is rejected', async (_case, changes) => {
  const drive = await start();
  expect(await drive.ask(changes)).toBe(400);
  expect(drive.called).toEqual([]);
});
