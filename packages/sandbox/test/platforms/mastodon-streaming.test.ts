import { expect, test } from 'vitest';
import { simulator } from '../../src/platforms/mastodon/index.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { postFromPhone } from '../harness/phone.ts';
import { startSimulator } from '../harness/simulator.ts';

const startPlatform = closedAfterTest(startSimulator);

async function start() {
  const instance = await startPlatform(simulator);
  const { tokenAnswer } = await instance.simulator.enrol('nora');
  const open = async (authorization = `Bearer ${tokenAnswer?.access_token}`) => {
    const response = await fetch(`${instance.url}/api/v1/streaming/user`, { headers: { authorization } });
    return { response, reader: response.body?.pipeThrough(new TextDecoderStream()).getReader() };
  };
  return { ...instance, open };
}

test('the stream has new, edited and deleted statuses', async () => {
  const drive = await start();
  const { response, reader } = await drive.open();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await postFromPhone(drive, 'kim');
  const { id } = await postFromPhone(drive, 'nora', { text: 'Run' });
  await drive.simulator.phone?.edit?.('nora', id, 'Edited');
  await drive.simulator.phone?.remove('nora', id);
  let text = '';
  while (!text.includes('event: delete\n')) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  expect(text).toMatch(/^:\)\n/);
  expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual(['update', 'status.update', 'delete']);
  const [update, edit] = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  expect(update).toMatchObject({ id, account: { username: 'nora' }, content: '<p>Run</p>' });
  expect(edit).toMatchObject({ id, content: '<p>Edited</p>' });
});

test('the stream needs a valid token', async () => {
  const { open } = await start();
  for (const authorization of ['', 'Bearer nonsense']) {
    const { response, reader } = await open(authorization);
    await reader?.cancel();
    expect(response.status).toBe(401);
  }
});
