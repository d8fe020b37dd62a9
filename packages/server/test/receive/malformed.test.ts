import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOUNDARY, body, field, file, type Receiver, type SendOptions, send, startReceiver } from './harness.ts';

const V = file('video', Buffer.from('v'));
const text = (value: string) => Buffer.from(value);
const raw = (header: string, content = 'x') => text(`${header}\r\n\r\n${content}`);

/** The sent content, and the error code of its rejection. */
type Case = [what: string, content: Buffer, code: string, options?: SendOptions];

const cases: Case[] = [
  ['no media type', body(V), 'unsupported_media_type', { contentType: null }],
  ['JSON', text('{}'), 'unsupported_media_type', { contentType: 'application/json' }],
  ['url-encoded form', text('video=1'), 'unsupported_media_type', { contentType: 'application/x-www-form-urlencoded' }],
  [
    'multipart of another kind',
    body(V),
    'unsupported_media_type',
    { contentType: `multipart/mixed; boundary=${BOUNDARY}` },
  ],
  ['no boundary', body(V), 'invalid_request', { contentType: 'multipart/form-data' }],
  ['empty boundary', body(V), 'invalid_request', { contentType: 'multipart/form-data; boundary=' }],
  [
    'boundary of 71 characters',
    body(V),
    'invalid_request',
    { contentType: `multipart/form-data; boundary=${'b'.repeat(71)}` },
  ],
  ['other boundary', body(V), 'invalid_request', { contentType: 'multipart/form-data; boundary=other' }],
  ['empty body', text(''), 'invalid_request'],
  ['no part', text(`--${BOUNDARY}--\r\n`), 'video_missing'],
  ['no final boundary', text(`--${BOUNDARY}\r\n${V}`), 'invalid_request'],
  ['final boundary without its dashes', text(`--${BOUNDARY}\r\n${V}\r\n--${BOUNDARY}`), 'invalid_request'],
  ['end within the header of a part', text(`--${BOUNDARY}\r\nContent-Disposition: form-da`), 'invalid_request'],
  ['part without a header', text(`--${BOUNDARY}\r\n--${BOUNDARY}--\r\n`), 'invalid_request'],
  ['part with an empty header', body(text('\r\nx'), V), 'invalid_request'],
  ['part without Content-Disposition', body(raw('Content-Type: text/plain'), V), 'invalid_request'],
  ['part that is no form-data', body(raw('Content-Disposition: attachment; name="description"'), V), 'invalid_request'],
  ['part without a name', body(raw('Content-Disposition: form-data'), V), 'invalid_request'],
  ['part with two names', body(raw('Content-Disposition: form-data; name="a"; name="b"'), V), 'invalid_request'],
  ['name with an open quote', body(raw('Content-Disposition: form-data; name="description'), V), 'invalid_request'],
  [
    'two Content-Disposition headers',
    body(raw('Content-Disposition: form-data; name="description"\r\nContent-Disposition: form-data; name="x"'), V),
    'invalid_request',
  ],
  [
    'bare line break in a header',
    body(raw('Content-Disposition: form-data; name="descri\nption"'), V),
    'invalid_request',
  ],
  [
    'header of 100 kB',
    body(raw(`X: ${'x'.repeat(100_000)}\r\nContent-Disposition: form-data; name="a"`), V),
    'invalid_request',
  ],
  ['endless header', text(`--${BOUNDARY}\r\nX: ${'x'.repeat(1_900_000)}`), 'invalid_request'],
  [
    'encoded part',
    body(raw('Content-Disposition: form-data; name="description"\r\nContent-Transfer-Encoding: base64'), V),
    'invalid_request',
  ],
  ['field of 70 kB', body(field('description', 'd'.repeat(70_000)), V), 'invalid_request'],
  ['5,000 fields', body(...Array.from({ length: 5000 }, () => field('platforms', 'a')), V), 'invalid_request'],
  ['more than 1 MiB before the first part', Buffer.concat([Buffer.alloc(2_000_000, 'x'), body(V)]), 'invalid_request'],
  ['more than 1 MiB after the last part', Buffer.concat([body(V), Buffer.alloc(2_000_000, 'x')]), 'invalid_request'],
  ['text that is no UTF-8', body(field('description', Buffer.from([0x66, 0xff])), V), 'invalid_request'],
  ['text cut in a character', body(field('description', Buffer.from([0xe2, 0x82])), V), 'invalid_request'],
  ['text with U+0000', body(field('description', 'a\0b'), V), 'invalid_request'],
  [
    'name that is no UTF-8',
    body(Buffer.from('Content-Disposition: form-data; name="\xff"\r\n\r\nx', 'latin1'), V),
    'invalid_request',
  ],
  ['field given twice', body(field('description', 'a'), V, field('description', 'b')), 'invalid_request'],
  ['file in a text field', body(file('description', text('x')), V), 'invalid_request'],
  ['unknown field', body(field('tags', 'x'), V), 'unknown_field'],
  ['unknown file', body(V, file('cover', text('x'))), 'unknown_field'],
  ['two files', body(V, V), 'several_videos'],
  ['two files, the first empty', body(file('video', text('')), V), 'several_videos'],
  ['empty file', body(file('video', text(''))), 'video_missing'],
  ['empty file without a name', body(file('video', text(''), '')), 'video_missing'],
  ['no file', body(field('platforms', '["a"]')), 'video_missing'],
  ['video as a text field', body(field('video', 'v')), 'video_missing'],
  ['video as a text field beside the file', body(V, field('video', 'v')), 'video_missing'],
  ['file over the limit', body(file('video', Buffer.alloc(1_000_001))), 'video_too_large'],
  ['announced length over the limit', text(''), 'video_too_large', { length: 1_000_001 + 1024 * 1024 }],
];

describe('a malformed form is rejected and leaves nothing', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver({ maxVideoBytes: 1_000_000 });
  });
  afterAll(() => receiver.stop());

  test.each(cases)('%s', async (_, content, code, options = {}) => {
    const response = await send(receiver.port, content, options);
    expect(response.json.code).toBe(code);
    expect(response.headers).toMatch(/connection: close/i);
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('the message names the field', async () => {
    const messages = await Promise.all(
      [
        body(field('tags', 'x'), V),
        body(field('description', 'a'), field('description', 'b'), V),
        body(field('description', '\0'), V),
      ].map(async (content) => (await send(receiver.port, content)).json.message),
    );
    expect(messages).toEqual([
      'Unknown form field "tags". Known: "video", "platforms", "description".',
      'The form field "description" was sent twice.',
      'The form field "description" is not valid UTF-8, or contains U+0000.',
    ]);
  });

  test('a file of exactly the limit is accepted', async () => {
    const response = await send(receiver.port, body(file('video', Buffer.alloc(1_000_000))));
    expect(response.json.video?.bytes).toBe(1_000_000);
  });
});
