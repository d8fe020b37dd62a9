/**
 * Feeds every reader of remote text inputs that make regular expressions slow: 24 KiB of each, and 1 MiB of a subset
 * chosen by the seed (REELAY_TEST_FULL=1: of all). Linear readers take milliseconds, others minutes.
 */
import { expect, test } from 'vitest';
import { identifierFrom, serviceFrom } from '../../src/connectors/bluesky/identity.ts';
import { findAll } from '../../src/connectors/bluesky/record.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { tameWords } from '../../src/connectors/kit/words.ts';
import { plainText } from '../../src/connectors/linkedin/limits.ts';
import { serviceFrom as instanceFrom } from '../../src/connectors/mastodon/api.ts';
import { isSameText as statusSays, textOf } from '../../src/connectors/mastodon/verify.ts';
import { postFrom } from '../../src/connectors/mastodon/watch.ts';
import { isSameText as pinSays } from '../../src/connectors/pinterest/verify.ts';
import { isSameText as spotlightSays } from '../../src/connectors/snapchat/verify.ts';
import { chatFrom, chatsFrom } from '../../src/connectors/telegram/chats.ts';
import { isLike as threadIsLike } from '../../src/connectors/threads/verify.ts';
import { isLike as videoIsLike } from '../../src/connectors/tiktok/verify.ts';
import { isSameText as postSays } from '../../src/connectors/x/verify.ts';
import { network } from '../../src/http/request-limits.ts';
import { cleanText, storable, storableJson } from '../../src/lib/text.ts';
import { parsePostFields } from '../../src/operations/post/fields.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { parseJson } from '../../src/outbound/json.ts';
import { allConnectors } from '../harness/connectors.ts';
import { drawn, seeded } from '../harness/draw.ts';

const found = await allConnectors();

/** Repeated up to the wanted length. The last character prevents a match at the end. */
const HOSTILE = [
  '1',
  '/',
  '<',
  ' ',
  'a@',
  '\u0000',
  '\ud800',
  '{',
  '@[',
  '&#',
  '.',
  'https://',
  ' https://t.co/',
  '!',
  '1:',
  '@a@.',
  '\\',
];
const filled = (piece: string, length: number) =>
  `${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}\u0001`;

const PRINT = { text: 'Sunset run', durationMs: 6_000, committedAt: 0 };
const STATUSES = [400, 403, 429];

/** Places a text wherever some platform has its messages. */
function bodies(text: string): unknown[] {
  const error = { message: text, code: text, type: text, error_user_msg: text, log_id: text, fbtrace_id: text };
  const item = { message: text, code: text, reason: text, domain: text, title: text, detail: text, type: text };
  return [
    { error: text, error_description: text, message: text, code: text, description: text, ok: false, error_code: 400 },
    { error: { ...error, code: 100 }, debug_info: { type: text, message: text } },
    { error: { ...error, errors: [item], status: text }, errors: [item], title: text, detail: text, type: text },
    { request_status: text, debug_message: text, display_message: text, error_code: text, message: text },
    { serviceErrorCode: text, code: text, message: text, errorDetails: { inputErrors: [item] } },
  ];
}

function answer(status: number, body: unknown, header: string): HttpResponse {
  const headers = {
    'retry-after': header,
    'x-request-id': header,
    'www-authenticate': `error="${header}`,
    date: header,
  };
  return { status, headers, text: '', json: () => body as JsonObject, tryJson: () => body as JsonObject };
}

type Reader = (text: string) => unknown;
const readers: Record<string, Reader> = {
  cleanText: (text) => cleanText(text, 200),
  tameWords,
  storable,
  storableJson: (text) => storableJson({ [text]: [text] }),
  parseJson: (text) => parseJson(JSON.stringify({ text })),
  'client address': network,
  previewTime: (text) => parsePostFields(new Map([['previewTime', [text]]])),
  'Bluesky server': serviceFrom,
  'Bluesky server with path': (text) => serviceFrom(`https://pds.example/${text.replaceAll('\u0001', '')}/a`),
  'Bluesky identifier': identifierFrom,
  'Bluesky text': (text) => findAll(text.slice(0, 5_000)),
  'Mastodon server': instanceFrom,
  'Mastodon HTML': textOf,
  'Mastodon status': (text) => statusSays({ content: text }, PRINT),
  'Mastodon watched status': (text) =>
    postFrom({
      id: '1',
      content: `<a ${text}>@<span>${text}</span></a>${text}`,
      mentions: [{ url: text, acct: text }],
      spoiler_text: text,
      media_attachments: [{ type: 'video' }],
    }),
  'LinkedIn text': plainText,
  'Pinterest pin': (text) => pinSays({ description: text, title: text }, { title: 'a', description: 'b' }),
  'Snapchat spotlight': (text) => spotlightSays({ caption: text }, PRINT),
  'Telegram chat': chatFrom,
  'Telegram chats': chatsFrom,
  'Threads post': (text) => threadIsLike({ text, timestamp: text, media_type: 'VIDEO' }, 'a', 0),
  'TikTok video': (text) => videoIsLike({ duration: 6, title: text, video_description: text }, PRINT),
  'X post': (text) => postSays({ text }, 'Sunset run'),
};
for (const { connector } of found) {
  const { commit, name } = connector;
  readers[`${name} id`] = connector.canonicalId;
  readers[`${name} error`] = (text) => {
    // Node limits headers to 16 KiB.
    for (const body of bodies(text))
      for (const status of STATUSES) {
        commit.codeOf(answer(status, body, text.slice(0, 16_000)));
        commit.failureOf?.(answer(status, body, text.slice(0, 16_000)), 0);
      }
  };
}

/** Shortest CPU time of several runs in ms, which does not depend on what else the machine does. */
function timeOf(read: Reader, text: string, limitMs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && best > limitMs; run++) {
    const started = process.cpuUsage();
    try {
      read(text);
    } catch {
      // A rejection counts as a read.
    }
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

const SMALL = { length: 24 * 1024, limitMs: 150 };
const LARGE = { length: 1024 * 1024, limitMs: 4_000 };

const drawnPieces = drawn(HOSTILE, 8, 'readers');

test(seeded('readers of remote text take linear time'), () => {
  const slow: string[] = [];
  let slowest = { what: '', ms: 0 };
  // Readers that are slow on a small input do not get the full one, which would take minutes.
  for (const [name, read] of Object.entries(readers))
    for (const piece of HOSTILE) {
      const large = drawnPieces.includes(piece) ? [LARGE] : [];
      for (const { length, limitMs } of [SMALL, ...large]) {
        const what = `${name} on ${JSON.stringify(piece)} × ${length}`;
        const ms = timeOf(read, filled(piece, length), limitMs);
        if (ms > slowest.ms) slowest = { what, ms };
        if (ms <= limitMs) continue;
        slow.push(`${what}: ${Math.round(ms)} ms`);
        break;
      }
    }
  expect(slow, `slowest: ${slowest.what}, ${Math.round(slowest.ms)} ms`).toEqual([]);
  expect(slowest.ms).toBeLessThan(LARGE.limitMs);
});
