/** Wire format of the AT Protocol and Bluesky's video service, from lexicons, documentation, and the PDS. */
import { ADDRESS, DIGITS, FILLED, is, jsonOf, VERIFIER } from './rules.ts';
import { anything, either, flag, list, object, text, whole, word } from './shapes.ts';
import type { Known, Seen, WireTable } from './table.ts';

const JWT = String.raw`[\w-]+\.[\w-]+\.[\w-]+`;
const SERVICE_TOKEN = new RegExp(`^Bearer ${JWT}$`);
const PROOF = new RegExp(`^${JWT}$`);
const DID = /^did:[a-z]+:[\w.:%-]+$/;
const NSID = /^[a-z][\w-]*(?:\.[\w-]+){2,}$/i;
const TID = /^[2-7a-z]{13}$/;

/** The account's server. Its calls carry a session token, or a DPoP token with a proof. */
const pds = (known: Omit<Known, 'at' | 'auth' | 'also'> & { also?: Known['also'] }): Known[] => [
  { ...known, at: 'entryway', auth: SERVICE_TOKEN, noHeaders: ['dpop'] },
  { ...known, at: 'entryway', auth: /^DPoP \S+$/, headers: { ...known.headers, dpop: PROOF } },
];
const open = (known: Omit<Known, 'at'>): Known => ({ ...known, at: 'entryway' });
const method = (name: string) => `/xrpc/${name}`;
const video = (known: Omit<Known, 'at' | 'path'> & { name: string }): Known => {
  const { name, ...rest } = known;
  return { ...rest, at: 'video', path: `/xrpc/app.bsky.video.${name}` };
};

const client = { client_id: ADDRESS };
/** Required of confidential clients. */
const assertion = {
  client_assertion_type: is('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  client_assertion: PROOF,
};
const dpop = { headers: { dpop: PROOF } };

const blob = object({
  $type: word('blob'),
  ref: object({ $link: text(/^b[a-z2-7]+$/) }),
  mimeType: text(FILLED),
  size: whole(1),
});
const feature = either(
  object({ $type: word('app.bsky.richtext.facet#tag'), tag: text(/^[^#]/) }),
  object({ $type: word('app.bsky.richtext.facet#mention'), did: text(DID) }),
  object({ $type: word('app.bsky.richtext.facet#link'), uri: text(ADDRESS) }),
);
const facet = object(
  { index: object({ byteStart: whole(), byteEnd: whole(1) }), features: list(feature, 10, 1) },
  { $type: word('app.bsky.richtext.facet') },
);
const embed = object(
  {
    $type: word('app.bsky.embed.video'),
    video: object({
      $type: word('blob'),
      ref: object({ $link: text(/^b[a-z2-7]+$/) }),
      mimeType: word('video/mp4'),
      size: whole(1, 300_000_000),
    }),
  },
  {
    alt: text(),
    aspectRatio: object({ width: whole(1), height: whole(1) }),
    captions: list(object({ lang: text(FILLED), file: blob }), 20),
    presentation: word('default', 'gif'),
  },
);
const post = object(
  { $type: word('app.bsky.feed.post'), text: text(), createdAt: text(/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/) },
  {
    langs: list(text(/^[a-z]{2,3}(?:-[\w-]+)?$/i), 3),
    tags: list(text(FILLED), 8),
    facets: list(facet),
    embed,
    labels: object({
      $type: word('com.atproto.label.defs#selfLabels'),
      values: list(object({ val: text(FILLED) }), 10),
    }),
  },
);
const record = object(
  { repo: text(DID), collection: word('app.bsky.feed.post'), rkey: text(TID), record: post },
  { validate: flag, swapRecord: anything, swapCommit: text(FILLED) },
);

export const table: WireTable = {
  requests: [
    // Identity resolution, without authentication.
    {
      method: 'GET',
      at: 'resolver',
      path: method('com.atproto.identity.resolveHandle'),
      query: { handle: /^[\w.-]+$/ },
    },
    { method: 'GET', at: 'plc', path: '/:did', params: { did: /^did(?::|%3A)plc(?::|%3A)[a-z2-7]+$/i } },
    open({ method: 'GET', path: '/.well-known/oauth-protected-resource' }),
    open({ method: 'GET', path: '/.well-known/oauth-authorization-server' }),
    open({ method: 'GET', path: method('com.atproto.server.describeServer') }),
    // OAuth; each request has a DPoP proof.
    open({
      method: 'POST',
      path: '/oauth/par',
      ...dpop,
      body: {
        kind: 'form',
        required: {
          ...client,
          redirect_uri: ADDRESS,
          response_type: is('code'),
          scope: /^atproto(?: \S+)*$/,
          state: FILLED,
          code_challenge: /^[\w-]{43}$/,
          code_challenge_method: is('S256'),
        },
        optional: { login_hint: FILLED, response_mode: is('query'), display: FILLED, prompt: FILLED, ...assertion },
      },
    }),
    open({
      method: 'POST',
      path: '/oauth/token',
      ...dpop,
      body: {
        kind: 'either',
        of: [
          {
            kind: 'form',
            required: {
              grant_type: is('authorization_code'),
              code: FILLED,
              redirect_uri: ADDRESS,
              code_verifier: VERIFIER,
              ...client,
            },
            optional: assertion,
          },
          {
            kind: 'form',
            required: { grant_type: is('refresh_token'), refresh_token: FILLED, ...client },
            optional: assertion,
          },
        ],
      },
    }),
    open({
      method: 'POST',
      path: '/oauth/revoke',
      body: {
        kind: 'form',
        required: { token: FILLED },
        optional: { ...client, ...assertion, token_type_hint: FILLED },
      },
    }),
    // App password sessions.
    open({
      method: 'POST',
      path: method('com.atproto.server.createSession'),
      body: { kind: 'json', shape: object({ identifier: text(FILLED), password: text(FILLED) }) },
    }),
    open({ method: 'POST', path: method('com.atproto.server.refreshSession'), auth: SERVICE_TOKEN }),
    open({ method: 'POST', path: method('com.atproto.server.deleteSession'), auth: SERVICE_TOKEN }),
    ...pds({ method: 'GET', path: method('com.atproto.server.getSession') }),
    ...pds({
      method: 'GET',
      path: method('com.atproto.server.getServiceAuth'),
      query: { aud: DID, lxm: NSID, exp: DIGITS },
    }),
    { method: 'GET', at: 'resolver', path: method('app.bsky.actor.getProfile'), query: { actor: FILLED } },
    // The video service, with service tokens of the account's server.
    video({ method: 'GET', name: 'getUploadLimits', auth: SERVICE_TOKEN }),
    video({
      method: 'POST',
      name: 'uploadVideo',
      auth: SERVICE_TOKEN,
      query: { did: DID, name: /\.mp4$/ },
      headers: { 'content-length': DIGITS },
      body: { kind: 'bytes', type: is('video/mp4'), most: 300_000_000 },
    }),
    video({
      method: 'POST',
      name: 'startUpload',
      auth: SERVICE_TOKEN,
      body: {
        kind: 'json',
        shape: object(
          { sizeBytes: whole(1, 300_000_000), mimeType: text(/^(?:video\/(?:mp4|mpeg|webm|quicktime)|image\/gif)$/) },
          { name: text(FILLED), durationMs: whole(1), width: whole(1), height: whole(1) },
        ),
      },
    }),
    video({
      method: 'POST',
      name: 'uploadPart',
      auth: SERVICE_TOKEN,
      query: { jobId: FILLED, partNumber: /^[1-9]\d*$/ },
      headers: { 'content-length': DIGITS },
      body: { kind: 'bytes', type: is('application/octet-stream') },
    }),
    ...['finishUpload', 'abortUpload'].map((name) =>
      video({
        method: 'POST',
        name,
        auth: SERVICE_TOKEN,
        body: { kind: 'json', shape: object({ jobId: text(FILLED) }) },
      }),
    ),
    video({ method: 'GET', name: 'getUploadStatus', auth: SERVICE_TOKEN, query: { jobId: FILLED } }),
    // Without authentication.
    video({ method: 'GET', name: 'getJobStatus', auth: SERVICE_TOKEN, authOptional: true, query: { jobId: FILLED } }),
    // The repository.
    ...pds({ method: 'POST', path: method('com.atproto.repo.uploadBlob'), body: { kind: 'bytes', type: FILLED } }),
    ...pds({
      method: 'POST',
      path: method('com.atproto.repo.putRecord'),
      body: { kind: 'json', shape: record },
      also: textWrong,
    }),
    ...pds({
      method: 'POST',
      path: method('com.atproto.repo.deleteRecord'),
      body: { kind: 'json', shape: object({ repo: text(DID), collection: text(NSID), rkey: text(FILLED) }) },
    }),
    open({
      method: 'GET',
      path: method('com.atproto.repo.getRecord'),
      query: { repo: DID, collection: NSID, rkey: FILLED },
      optionalQuery: { cid: FILLED },
    }),
    open({
      method: 'GET',
      path: method('com.atproto.repo.listRecords'),
      query: { repo: DID, collection: NSID },
      optionalQuery: { limit: /^(?:[1-9]\d?|100)$/, cursor: FILLED, reverse: is('true', 'false') },
    }),
    open({ method: 'GET', path: method('com.atproto.sync.getLatestCommit'), query: { did: DID } }),
    open({ method: 'GET', path: method('com.atproto.sync.getRepoStatus'), query: { did: DID } }),
    open({ method: 'GET', path: method('com.atproto.sync.getBlob'), query: { did: DID, cid: FILLED } }),
  ],
};

interface Post {
  record: { text: string; facets?: { index: { byteStart: number; byteEnd: number } }[] };
}

/** A server silently accepts facets outside the text; they then link nothing. */
function textWrong(request: Seen): string[] {
  const { record: asked } = jsonOf(request) as Post;
  const bytes = Buffer.byteLength(asked.text);
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(asked.text)].length;
  const inside = (asked.facets ?? []).every(({ index }) => index.byteStart < index.byteEnd && index.byteEnd <= bytes);
  return [
    ...(graphemes <= 300 && bytes <= 3000 ? [] : ['record.text is too long']),
    ...(inside ? [] : ['a facet is outside of the text']),
  ];
}
