import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import {
  BOUNDARY,
  body,
  field,
  file,
  open,
  type Receiver,
  type ReceiverOptions,
  readResponse,
  send,
  startReceiver,
} from './harness.ts';

describe('a valid form', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  test('returns its fields and the file with its hash', async () => {
    const content = randomBytes(300_000);
    const response = await send(receiver.port, body(field('platforms', '["a"]'), file('video', content)));
    expect(response.status).toBe(200);
    expect(response.json.fields).toEqual([['platforms', ['["a"]']]]);
    expect(response.json.video).toMatchObject({ bytes: 300_000, sha256: sha256(content), filename: 'a.mp4' });
    const path = response.json.video?.path ?? '';
    expect(dirname(path)).toBe(receiver.folder);
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  test.each([
    ['before', [file('video', Buffer.from('v')), field('description', 'd'), field('platforms', 'p')]],
    ['between', [field('description', 'd'), file('video', Buffer.from('v')), field('platforms', 'p')]],
    ['after', [field('description', 'd'), field('platforms', 'p'), file('video', Buffer.from('v'))]],
  ])('may have the file %s the text fields', async (_, parts) => {
    const response = await send(receiver.port, body(...parts));
    expect(response.status).toBe(200);
    expect(new Map(response.json.fields)).toEqual(
      new Map([
        ['description', ['d']],
        ['platforms', ['p']],
      ]),
    );
    expect(response.json.video?.bytes).toBe(1);
  });

  test('may come by HTTP/1.0', async () => {
    const content = body(field('platforms', '["a"]'), file('video', Buffer.from('v')));
    const response = await send(receiver.port, content, { version: '1.0' });
    expect(response.json).toMatchObject({ fields: [['platforms', ['["a"]']]], video: { bytes: 1 } });
  });

  test('may repeat the field platforms, and keeps the order', async () => {
    const parts = [field('platforms', 'b'), file('video', Buffer.from('v')), field('platforms', 'a')];
    expect((await send(receiver.port, body(...parts))).json.fields).toEqual([['platforms', ['b', 'a']]]);
  });

  test('needs no file name for a non-text media type', async () => {
    const response = await send(receiver.port, body(file('video', Buffer.from('v'), null)));
    expect(response.status).toBe(200);
    expect(response.json.video).not.toHaveProperty('filename');
  });

  test('accepts any script, empty text and file names without folders', async () => {
    const parts = [field('description', '日本 🎬 \u00e9'), field('platforms', '')];
    const response = await send(receiver.port, body(...parts, file('video', Buffer.from('v'), 'C:\\films\\été.mov')));
    expect(response.json.fields).toEqual([
      ['description', ['日本 🎬 é']],
      ['platforms', ['']],
    ]);
    expect(response.json.video?.filename).toBe('été.mov');
  });

  test('may contain bytes similar to its boundary', async () => {
    const content = Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r\n\r\n--${BOUNDARY.slice(0, 5)}\0\r\n-`);
    const response = await send(receiver.port, body(file('video', content)));
    expect(response.json.video).toMatchObject({ bytes: content.length, sha256: sha256(content) });
  });

  test('may have text before and after its boundaries', async () => {
    const whole = Buffer.concat([Buffer.from('hello\r\n'), body(file('video', Buffer.from('v'))), Buffer.from('bye')]);
    const response = await send(receiver.port, whole);
    expect(response.json.video?.bytes).toBe(1);
  });

  test('may arrive in one-byte chunks without a length', async () => {
    const socket = await open(receiver.port, -1);
    const response = readResponse(socket);
    for (const byte of body(field('description', 'd'), file('video', Buffer.from('abc')))) {
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
    expect((await response).json).toMatchObject({ fields: [['description', ['d']]], video: { bytes: 3 } });
  });

  test('of many megabytes is hashed by a thread', async () => {
    const content = Buffer.alloc(70 * 1024 * 1024, randomBytes(65_537));
    const response = await send(receiver.port, body(file('video', content), field('description', 'late')));
    expect(response.json.video).toMatchObject({ bytes: content.length, sha256: sha256(content) });
    expect(response.json.fields).toEqual([['description', ['late']]]);
  });

  test('leaves the connection usable for the next request', async () => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    for (const text of ['one', 'two']) {
      const form = new FormData();
      form.append('description', text);
      form.append('video', new Blob(['v']), 'v.mp4');
      const response = await fetch(url, { method: 'POST', body: form });
      expect(await response.json()).toMatchObject({ fields: [['description', [text]]] });
    }
  });
});

describe('a form whose video is held back', () => {
  const started: Receiver[] = [];
  const start = async (options: ReceiverOptions) => {
    const receiver = await startReceiver(options);
    started.push(receiver);
    return receiver;
  };
  afterAll(() => Promise.all(started.map((each) => each.stop())));
  const FIELDS = [field('platforms', 'a'), field('description', 'd')];

  test('gives its first fields before the video arrives', async () => {
    const first = Promise.withResolvers<unknown>();
    const receiver = await start({ beforeVideo: async (fields) => first.resolve([...(fields ?? [])]) });
    const content = body(...FIELDS, file('video', Buffer.alloc(2_000_000, 'v')));
    const socket = await open(receiver.port, content.length);
    const response = readResponse(socket);
    socket.write(content.subarray(0, 1_000));
    expect(await first.promise).toEqual([
      ['platforms', ['a']],
      ['description', ['d']],
    ]);
    socket.write(content.subarray(1_000));
    expect((await response).json.video?.bytes).toBe(2_000_000);
  });

  test('ends with an error of the check', async () => {
    const receiver = await start({
      beforeVideo: async () => {
        throw new ReelayError('unknown_platform');
      },
    });
    const response = await send(receiver.port, body(...FIELDS, file('video', Buffer.alloc(2_000_000))));
    expect(response).toMatchObject({ status: 404, json: { code: 'unknown_platform' } });
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('ends with the earlier error of the upload', async () => {
    const receiver = await start({
      beforeVideo: async () => {
        throw new ReelayError('unknown_platform');
      },
    });
    const response = await send(receiver.port, body(...FIELDS, file('video', Buffer.from('v')), field('stray', '')));
    expect(response.json.code).toBe('unknown_field');
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('ends when the client disconnects after the whole body', async () => {
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const receiver = await start({
      beforeVideo() {
        begun.resolve();
        return gone.promise;
      },
    });
    receiver.server.once('connection', (connection) => connection.once('close', gone.resolve));
    const outcome = receiver.outcome();
    const content = body(...FIELDS, file('video', Buffer.from('v')), field('platforms', 'b'));
    const socket = await open(receiver.port, content.length);
    socket.write(content);
    await begun.promise;
    socket.destroy();
    expect(await outcome).toMatchObject({ error: { code: 'invalid_request' } });
    expect(await receiver.leftovers()).toEqual([]);
  });

  test('is not held without a video', async () => {
    const seen: unknown[] = [];
    const receiver = await start({ needsNoVideo: () => true, beforeVideo: async (fields) => void seen.push(fields) });
    const response = await send(receiver.port, body(...FIELDS));
    expect(response.json.video).toBeNull();
    expect(seen).toEqual([null]);
  });
});
