/** Refusals of forms that name what to send instead. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { body, field, file, type Receiver, type SendOptions, send, startReceiver } from './harness.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const V = file('video', Buffer.from('v'));
const messageOf = async (content: Buffer, options?: SendOptions): Promise<string> =>
  (await send(receiver.port, content, options)).json.message ?? '';
const latin1 = (header: string) => Buffer.from(`${header}\r\n\r\nx`, 'latin1');

test.each(['platforms[]', 'platforms[0]', 'platforms.0'])('%s names both forms of a list', async (name) => {
  expect(await messageOf(body(field(name, 'a'), V))).toBe(
    `Unknown form field "${name}". Send "platforms" as a JSON array, or repeat the field "platforms" with one value each.`,
  );
});

test('an unknown field names the known ones', async () => {
  expect(await messageOf(body(file('file', Buffer.from('v'))))).toMatch(
    /^Unknown form field "file"\. Known: "video", "platforms", "description"\.$/,
  );
});

test('an unknown field suggests a similar one', async () => {
  expect(await messageOf(body(field('descripton', 'a'), V))).toBe(
    'Unknown form field "descripton". Did you mean "description"?',
  );
});

test('raw bytes name the form and its field', async () => {
  expect(await messageOf(Buffer.from('v'), { contentType: 'video/mp4' })).toBe(
    'Send a form (multipart/form-data) with the video as the file field "video", not the video alone.',
  );
});

test('a video without file name and media type names both', async () => {
  expect(await messageOf(body(field('video', 'v')))).toMatch(/Send it with a file name, or with a media type such as/);
});

test.each([
  ['name', 'name="\xff"'],
  ['file name', 'name="video"; filename="\xe9t\xe9.mp4"'],
])('a %s in Latin-1 names UTF-8', async (_, parameters) => {
  const part = latin1(`Content-Disposition: form-data; ${parameters}`);
  expect(await messageOf(body(part))).toMatch(/not UTF-8\. Encode names and file names as UTF-8\.$/);
});

describe('a text field with a file name', () => {
  test('is text if FormData named it blob', async () => {
    const form = new FormData();
    form.append('description', new Blob(['Hällo'], { type: 'application/json' }));
    form.append('video', new Blob(['v']), 'v.mp4');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const contentType = request.headers.get('content-type') ?? '';
    const response = await send(receiver.port, Buffer.from(await request.arrayBuffer()), { contentType });
    expect(response.json.fields).toEqual([['description', ['Hällo']]]);
  });

  test('is refused otherwise, with the way out', async () => {
    expect(await messageOf(body(file('description', Buffer.from('x')), V))).toMatch(/Send it without a file name\.$/);
  });
});
