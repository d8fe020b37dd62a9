/**
 * Verifies whether the post exists. The account's server is authoritative and immediately consistent; no index is
 * involved.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { ConfirmResult, Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { collapsedText } from '../kit/comparable-text.ts';
import { at, textAt } from '../kit/json.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { POST } from './address.ts';
import { type Frozen, frozenOf } from './checkpoint.ts';
import { codeOf, waitOf } from './classify.ts';
import { publishedAs } from './commit.ts';
import { pdsOf } from './pds.ts';
import { KEY_LIFE_MS } from './publish.ts';
import { timeOfTid } from './record.ts';

/** Tolerance in ms: the key is created shortly before the recorded send time, and clocks differ. */
const CLOCK_MARGIN_MS = 10 * 60_000;
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
  return { then: 'confirming', checkpoint, afterMs: 60_000, note: 'The record could not be seen.' };
}

async function byKey(work: Work, frozen: Frozen, checkpoint: JsonObject | null): Promise<VerifyResult> {
  const { session } = work;
  const pds = pdsOf(session);
  const query = { repo: session.remoteId, collection: POST, rkey: frozen.rkey };
  const response = await pds.look('com.atproto.repo.getRecord', query);
  if (response.status === 200) {
    const value = at(response.tryJson(), 'value');
    // Only we use this key. The check detects a response about a different record.
    if (textAt(value, '$type') !== POST || textAt(value, 'createdAt') !== textAt(frozen.record, 'createdAt'))
      return stillUnknown('Another record is under our key.');
    const published = publishedAs(session, frozen, timeOfTid(frozen.rkey));
    return { then: 'posted', published, note: 'The record is there.' };
  }
  if (response.status !== 400 || codeOf(response) !== 'RecordNotFound') return unseen(response, session.now());
  // Servers forward a request for a repository that they do not host to an index, which is not authoritative.
  const repo = await pds.look('com.atproto.sync.getRepoStatus', { did: session.remoteId });
  if (repo.status !== 200 || at(repo.tryJson(), 'active') !== true)
    return stillUnknown('The server does not serve this account at present.');
  if (frozen.server !== session.service && !session.sandbox)
    return stillUnknown('The account has moved to another server.');
  const untouched = frozen.rev !== '' && textAt(repo.tryJson(), 'rev') === frozen.rev;
  if (session.now() - frozen.at >= KEY_LIFE_MS && !untouched)
    return stillUnknown('No record is there; it may have been there and been deleted.');
  return notPosted(checkpoint, 'No record is under our key.');
}

/** Verifies without a key: compares the text of the video posts created since the send. */
async function byText({ session }: Work, fingerprint: Fingerprint): Promise<VerifyResult> {
  const pds = pdsOf(session);
  const since = fingerprint.committedAt - CLOCK_MARGIN_MS;
  const text = collapsed(fingerprint.text);
  const found: string[] = [];
  let others = 0;
  let cursor = '';
  for (let page = 0; ; page++) {
    if (page === MAX_PAGES) return stillUnknown('There are too many newer posts to look through.');
    const query = { repo: session.remoteId, collection: POST, limit: String(PAGE), ...(cursor ? { cursor } : {}) };
    const response = await pds.look('com.atproto.repo.listRecords', query);
    const records = at(response.tryJson(), 'records');
    if (response.status !== 200 || !Array.isArray(records)) return unseen(response, session.now());
    for (const record of records) {
      const rkey = textAt(record, 'uri').split('/').at(-1) ?? '';
      if ((timeOfTid(rkey) ?? 0) < since || textAt(record, 'value', 'embed', '$type') !== 'app.bsky.embed.video')
        continue;
      if (text && collapsed(textAt(record, 'value', 'text')) === text) found.push(rkey);
      else others++;
    }
    cursor = textAt(response.tryJson(), 'cursor');
    const oldest = records.at(-1);
    const made = timeOfTid(textAt(oldest, 'uri').split('/').at(-1) ?? '');
    if (!cursor || records.length === 0 || (made !== null && made < since)) break;
  }
  const [rkey, ...more] = found;
  if (rkey !== undefined && more.length === 0)
    return {
      then: 'posted',
      published: publishedAs(session, { rkey }, timeOfTid(rkey)),
      note: 'A post with this text is there.',
    };
  if (more.length > 0) return stillUnknown('Several posts with this text are there.');
  if (!text && others > 0) return stillUnknown('A post without text cannot be told from others.');
  if (session.now() - fingerprint.committedAt >= KEY_LIFE_MS)
    return stillUnknown('No such post is there; it may have been there and been deleted.');
  return notPosted(null, 'No such post is there.');
}

/** Result of a failed read. */
function unseen(response: HttpResponse, now: number): VerifyResult {
  const note = `The server answered ${response.status} ${codeOf(response)}`.trim();
  return { then: 'stillUnknown', note, ...(response.status === 429 ? { afterMs: waitOf(response, now) } : {}) };
}

const collapsed = (text: string) => collapsedText(text, 'NFC');
