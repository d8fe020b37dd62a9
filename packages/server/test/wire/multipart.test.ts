import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readForm } from './multipart.ts';

const BOUNDARY = 'xx-yy';

interface Given {
  name: string;
  fileName: string | null;
  content: Buffer;
}

function written(parts: Given[]): Buffer {
  const each = parts.flatMap(({ name, fileName, content }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(fileName === null ? '\r\n\r\n' : `; filename="${fileName}"\r\nContent-Type: video/mp4\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...each, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function read(bytes: Buffer, cuts: readonly number[] = []) {
  const reading = readForm(BOUNDARY);
  const places = [
    0,
    ...[...cuts].sort((one, other) => one - other).map((cut) => cut % (bytes.length + 1)),
    bytes.length,
  ];
  const ordered = [...new Set(places)].sort((one, other) => one - other);
  for (const [index, start] of ordered.entries())
    reading.take(bytes.subarray(start, ordered[index + 1] ?? bytes.length));
  return reading.end();
}

/** Bytes that look like boundaries more often than chance has it. */
const content = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('\r\n', `\r\n--${BOUNDARY.slice(0, 3)}`, '--', `--${BOUNDARY}`, '\r\r\n-')
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => Buffer.concat(pieces))
  .filter(
    (bytes) =>
      !bytes.includes(`\r\n--${BOUNDARY}`) &&
      !bytes.subarray(0, BOUNDARY.length + 2).equals(Buffer.from(`--${BOUNDARY}`)),
  );

const parts = fc.array(
  fc.record({
    name: fc.stringMatching(/^\w{1,8}$/),
    fileName: fc.option(fc.stringMatching(/^\w{1,8}$/)),
    content,
  }),
  { minLength: 1, maxLength: 5 },
);

test('a form is parsed the same for every chunking', () => {
  fc.assert(
    fc.property(parts, fc.array(fc.nat({ max: 2000 }), { maxLength: 12 }), (given, cuts) => {
      const { parts: found, wrong } = read(written(given), cuts);
      expect(wrong).toEqual([]);
      expect(found).toEqual(
        given.map(({ name, fileName, content: bytes }) => ({
          name,
          fileName,
          type: fileName === null ? null : 'video/mp4',
          bytes: bytes.length,
          text: bytes.toString('utf8'),
        })),
      );
    }),
  );
});

test('a large part is stored as its size', () => {
  const reading = readForm(BOUNDARY);
  const [head = '', tail = ''] = written([{ name: 'file', fileName: 'a', content: Buffer.from('|') }])
    .toString()
    .split('|');
  reading.take(Buffer.from(head));
  const chunk = Buffer.alloc(65_536);
  for (let count = 0; count < 200; count++) reading.take(chunk);
  reading.take(Buffer.from(tail));
  expect(reading.end()).toEqual({
    parts: [{ name: 'file', fileName: 'a', type: 'video/mp4', bytes: 200 * 65_536, text: null }],
    wrong: [],
  });
});

test.each([
  ['something before the first boundary', `x\r\n--${BOUNDARY}--\r\n`, 'the body does not begin with its boundary'],
  ['something behind the last', `--${BOUNDARY}--\r\nmore`, 'something follows the last boundary'],
  [
    'no end',
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb`,
    'the body ends before its last boundary',
  ],
  ['a boundary that goes on', `--${BOUNDARY}zz`, 'a boundary is followed by something else than a line end'],
  ['a part without name', `--${BOUNDARY}\r\nContent-Type: a/b\r\n\r\n\r\n--${BOUNDARY}--`, 'a part has no name'],
  ['a line that is no header', `--${BOUNDARY}\r\nnothing\r\n\r\n\r\n--${BOUNDARY}--`, 'a part has no name'],
  ['a head without end', `--${BOUNDARY}\r\n${'a'.repeat(20_000)}`, 'the head of a part does not end'],
])('%s is wrong', (_name, body, says) => {
  expect(read(Buffer.from(body)).wrong).toContain(says);
});
