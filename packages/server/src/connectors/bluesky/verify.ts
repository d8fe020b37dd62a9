/**
 * Verifies whether the post exists. The account's server is authoritative and immediately consistent; no index is
 * involved.
 */
import { MINUTE } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { ConfirmResult, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { type Frozen, frozenOf } from './checkpoint.ts';
import { codeOf, waitOf } from './classify.ts';
import { say } from './messages.ts';
import { pdsOf } from './pds.ts';
import { KEY_LIFE_MS, publishedAs } from './publish.ts';
import { POST, timeOfTid } from './record.ts';

/** Tolerance in ms: the key is created shortly before the recorded send time, and clocks differ. */
const CLOCK_MARGIN_MS = 10 * MINUTE;
const PAGE = 100;
const MAX_PAGES = 10;

export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const frozen = frozenOf(checkpoint);
  return frozen ? byKey(work, frozen, checkpoint) : byText(work, fingerprint);
}

/** Not needed, because no outcome stays pending. If called, it reads the record. */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const frozen = frozenOf(checkpoint);
  const result = frozen && (await byKey(work, frozen, checkpoint));
  if (result?.then === 'posted') return result;
  return { then: 'confirming', checkpoint, afterMs: MINUTE, note: say('post_unconfirmed') };
}

async function byKey(work: Work, frozen: Frozen, checkpoint: JsonObject | null): Promise<VerifyResult> {
  const { session } = work;
  const pds = pdsOf(session);
  const query = { repo: session.remoteId, collection: POST, rkey: frozen.rkey };
  const response = await pds.read('com.atproto.repo.getRecord', query);
  if (response.status === 200) {
    const value = at(response.tryJson(), 'value');
    // Only we use this key. The check detects a response about a different record.
    if (textAt(value, '$type') !== POST || textAt(value, 'createdAt') !== textAt(frozen.record, 'createdAt'))
      return stillUnknown(say('other_record'));
    const published = publishedAs(session, frozen, timeOfTid(frozen.rkey));
    return { then: 'posted', published, note: say('post_found') };
  }
  if (response.status !== 400 || codeOf(response) !== 'RecordNotFound') return unreadable(response, session.now());
  // Servers forward a request for a repository that they do not host to an index, which is not authoritative.
  const repo = await pds.read('com.atproto.sync.getRepoStatus', { did: session.remoteId });
  if (repo.status !== 200 || at(repo.tryJson(), 'active') !== true) return stillUnknown(say('account_not_served'));
  if (frozen.server !== session.service && !session.sandbox) return stillUnknown(say('account_moved'));
  const untouched = frozen.rev !== '' && textAt(repo.tryJson(), 'rev') === frozen.rev;
  if (session.now() - frozen.at >= KEY_LIFE_MS && !untouched) return stillUnknown(say('maybe_deleted'));
  return notPosted(checkpoint, say('post_not_shown'));
}

/** Verifies without a key: compares the text of the video posts created since the send. */
async function byText({ session }: Work, fingerprint: Fingerprint): Promise<VerifyResult> {
  const since = fingerprint.committedAt - CLOCK_MARGIN_MS;
  const text = collapsed(fingerprint.text);
  const found: string[] = [];
  let others = 0;
  let cursor = '';
  for (let page = 0; ; page++) {
    if (page === MAX_PAGES) return stillUnknown(say('list_too_long'));
    const { response, records, next } = await listPosts(session, cursor);
    if (!records) return unreadable(response, session.now());
    for (const record of records) {
      const rkey = keyOf(record);
      if ((timeOfTid(rkey) ?? 0) < since || textAt(record, 'value', 'embed', '$type') !== 'app.bsky.embed.video')
        continue;
      if (text && collapsed(textAt(record, 'value', 'text')) === text) found.push(rkey);
      else others++;
    }
    cursor = next;
    const made = timeOfTid(keyOf(records.at(-1)));
    if (!cursor || records.length === 0 || (made !== null && made < since)) break;
  }
  const [rkey, ...more] = found;
  if (rkey !== undefined && more.length === 0)
    return { then: 'posted', published: publishedAs(session, { rkey }, timeOfTid(rkey)), note: say('post_found') };
  if (more.length > 0) return stillUnknown(say('several_matches'));
  if (!text && others > 0) return stillUnknown(say('match_without_text'));
  if (session.now() - fingerprint.committedAt >= KEY_LIFE_MS) return stillUnknown(say('maybe_deleted'));
  return notPosted(null, say('post_not_shown'));
}

/** Lists one page of the repository's posts, the latest key first. `records` is null if the response has no list. */
export async function listPosts(session: Session, cursor: string) {
  const query = { repo: session.remoteId, collection: POST, limit: String(PAGE), ...(cursor ? { cursor } : {}) };
  const response = await pdsOf(session).read('com.atproto.repo.listRecords', query);
  const records = at(response.tryJson(), 'records');
  const isList = response.status === 200 && Array.isArray(records);
  return { response, records: isList ? (records as unknown[]) : null, next: textAt(response.tryJson(), 'cursor') };
}

/** The key of a listed record; "" if it has none. */
export function keyOf(record: unknown): string {
  return textAt(record, 'uri').split('/').at(-1) ?? '';
}

/** Result of a failed read. */
function unreadable(response: HttpResponse, now: number): VerifyResult {
  const note = say('status_unexpected', { status: response.status });
  return stillUnknown(note, response.status === 429 ? waitOf(response, now) : undefined);
}

const collapsed = (text: string) => collapsedText(text, 'NFC');
