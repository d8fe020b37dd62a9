/**
 * Jetstream: Bluesky's public stream of all records as JSON, here those of watched accounts
 * (docs.bsky.app, "Jetstream"). It needs no token. Servers that no relay of Bluesky reads are not in it.
 */
import { parseJson } from '../../outbound/json.ts';
import type { Json, SharedStream } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { POST } from './record.ts';

const PUBLIC = 'wss://jetstream2.us-east.bsky.network';
/** Bytes; a post has at most a few thousand. */
const MAX_MESSAGE = 500_000;

export const stream = {
  kind: 'shared',
  maxAccounts: 10_000,
  open({ endpoints, settings, sandbox }, from) {
    const base = sandbox ? endpoints.jetstream : (settings.jetstreamUrl ?? PUBLIC);
    if (!base || base === 'off') return null;
    const url = new URL(`${base}/subscribe`);
    url.searchParams.set('wantedCollections', POST);
    url.searchParams.set('maxMessageSizeBytes', String(MAX_MESSAGE));
    // Nothing is sent until the accounts are selected, which may be too many for a URL.
    url.searchParams.set('requireHello', 'true');
    if (from !== null) url.searchParams.set('cursor', String(from * 1_000));
    return { url: url.href };
  },
  select: (wantedDids) =>
    JSON.stringify({
      type: 'options_update',
      payload: { wantedCollections: [POST], wantedDids, maxMessageSizeBytes: MAX_MESSAGE },
    }),
  announces({ data }) {
    const event = eventIn(data);
    const commit = at(event, 'commit');
    if (textAt(event, 'kind') !== 'commit' || textAt(commit, 'collection') !== POST) return null;
    if (!['create', 'update'].includes(textAt(commit, 'operation'))) return null;
    const embed = textAt(commit, 'record', 'embed', '$type');
    const hasVideo = ['app.bsky.embed.video', 'app.bsky.embed.recordWithMedia'].includes(embed);
    return hasVideo ? textAt(event, 'did') || null : null;
  },
} satisfies SharedStream;

function eventIn(data: string): Json {
  try {
    return parseJson(data);
  } catch {
    return null;
  }
}
