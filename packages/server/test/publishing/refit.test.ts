import { SETTINGS } from '@reelay/sandbox/platforms/bluesky/accounts.ts';
import { simulator } from '@reelay/sandbox/platforms/bluesky/index.ts';
import { expect, test } from 'vitest';
import { connector } from '../../src/connectors/bluesky/index.ts';
import { createWorld } from '../harness/world.ts';

test('a file over an enforced limit is converted', async () => {
  const variant = simulator.variants?.find(({ name }) => name === 'no video service');
  const bytes = 8_000_000;
  const world = await createWorld({
    connector,
    module: simulator,
    ...(variant ? { variant } : {}),
    video: { bytes, facts: { bytes, container: 'mp4', videoCodec: 'h264', audioCodec: 'aac' } },
  });
  try {
    await world.simulator.store.put(...SETTINGS, { blobLimit: 5_242_880, limitUntold: true });
    const id = await world.post();
    const worker = await world.worker();
    await worker.runUntilIdle();
    expect(await world.timeline(id)).toEqual([
      'step: Uploading the video to the account’s server.',
      'step: The account’s server accepts smaller files only. Trying 5.2 MB.',
      expect.stringMatching(/^rendition: The video is converted first\./),
    ]);
    expect(await world.target(id)).toMatchObject({ state: 'waiting', rendition_id: expect.any(String) });
    expect(world.bugs).toEqual([]);
  } finally {
    await world.close();
  }
});
