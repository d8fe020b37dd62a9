import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { pictureKey } from '../../src/storage/pictures.ts';
import { addAccount, addMedia } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const bytes = Buffer.from('ffd8ffe000104a464946', 'hex');
const store = (filename: string) => service.context.storage.put(pictureKey(filename), Readable.from([bytes]));

test('thumbnails are served to their owner, privately cacheable', async () => {
  const user = await service.newUser();
  const { thumbnail } = await addMedia(service.db, user.userId);
  await store(thumbnail);
  const response = await user.get(`/media/${thumbnail}`);
  expect(response.status).toBe(200);
  expect(response.bytes.equals(bytes)).toBe(true);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(response.headers.get('cache-control')).toMatch(/^private, .*immutable$/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await user.call('HEAD', `/media/${thumbnail}`)).headers.get('content-length')).toBe(String(bytes.length));
  const stranger = await service.newUser();
  expect(await stranger.get(`/media/${thumbnail}`)).toMatchObject({ status: 404, body: { code: 'unknown_media' } });
  expect((await service.client.get(`/media/${thumbnail}`)).status).toBe(401);
});

test("profile pictures are served to the account's owner", async () => {
  const user = await service.newSession();
  const avatar = `${uuidv7()}.png`;
  await addAccount(service.db, user.userId, { avatar });
  await store(avatar);
  const { body } = await user.get('/platform/platforms');
  const path = new URL(body.data[0].usernameImage).pathname.replace('/api/v1', '');
  const response = await user.get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
});

test('missing pictures and invalid names are unknown', async () => {
  const user = await service.newUser();
  const { thumbnail } = await addMedia(service.db, user.userId);
  const names = [
    thumbnail,
    `${uuidv7()}.jpg`,
    'x.jpg',
    '..%2f..%2fsecret-key',
    thumbnail.replace('.jpg', '.svg'),
    '%2e%2e',
  ];
  for (const name of names)
    expect(await user.get(`/media/${name}`)).toMatchObject({ status: 404, body: { success: false } });
});
