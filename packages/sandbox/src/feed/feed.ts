/**
 * Renders the sandbox feed: posts of the simulated platforms, as JSON and as a page that plays them. Pure functions.
 */
import { TROUBLE_TAGS } from '../contract.ts';
import { escapeHtml } from '../http/pages.ts';
import type { FeedEntry } from './published.ts';

/** Elements of `/sandbox/feed.json`. */
export interface FeedItem {
  platform: string;
  id: string;
  username: string;
  text: string;
  url: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  bytes: number;
  /** Hexadecimal hash of what the platform received. */
  sha256: string;
}

/** @param entries in order of publication, which is kept */
export function feedJson(entries: readonly FeedEntry[]): FeedItem[] {
  return entries.map(({ platform, id, username, text, url, publishedAt, bytes, sha256 }) => ({
    platform,
    id,
    username,
    text,
    url,
    publishedAt: new Date(publishedAt).toISOString(),
    bytes,
    sha256,
  }));
}

/** Path of an entry's video in the sandbox. */
function mediaPath(entry: { platform: string; id: string }): string {
  return `/sandbox/media/${encodeURIComponent(entry.platform)}/${encodeURIComponent(entry.id)}`;
}

const SHOWN = 100;
/** Number of videos that load their first frame immediately. */
const EAGER = 12;

/** Renders the page, newest first. @param entries in order of publication */
export function feedPage(entries: readonly FeedEntry[]): string {
  const shown = entries.slice(-SHOWN).reverse();
  const older = entries.length - shown.length;
  const rest = older > 0 ? `<p>${older} older in <a href="/sandbox/feed.json">feed.json</a>.</p>` : '';
  const posts = shown.length > 0 ? shown.map(card).join('\n') + rest : EMPTY;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sandbox feed</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Sandbox feed</h1>
<p>What the simulated platforms received. Nothing left this machine. <a href="/sandbox/feed.json">View as JSON</a></p>
${FAULTS}
</header>
<main>
${posts}
</main>
</body>
</html>`;
}

/** A username with exactly one `@` before it; on some platforms names already begin with one. */
function handleOf(username: string): string {
  return `@${username.replace(/^@/, '')}`;
}

function card(entry: FeedEntry, index: number): string {
  const user = escapeHtml(handleOf(entry.username));
  const platform = escapeHtml(entry.platform);
  const time = new Date(entry.publishedAt).toISOString();
  const shownTime = `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
  const when = `<time datetime="${time}">${shownTime}</time>`;
  const link = /^https?:\/\//i.test(entry.url) ? `<a href="${escapeHtml(entry.url)}">${when}</a>` : when;
  return `<article aria-labelledby="post-${index}">
<video controls playsinline loop preload="${index < EAGER ? 'metadata' : 'none'}" src="${escapeHtml(mediaPath(entry))}#t=0.1" aria-label="Video of ${user}"></video>
<h2 id="post-${index}">${user} <span>${platform}</span></h2>
<p class="text" dir="auto">${escapeHtml(entry.text)}</p>
<p class="when">${link}</p>
</article>`;
}

const EMPTY = `<section class="empty">
<h2>Nothing published yet</h2>
<p>Connect a sandbox account and post a video. It appears here when the platform publishes it.</p>
</section>`;

const FAULTS = `<details>
<summary>Simulate a fault</summary>
<p>A caption with one of these tags makes the platform fail: ${TROUBLE_TAGS.map((tag) => `<code>#sandbox-${tag}</code>`).join(' ')}</p>
</details>`;

const STYLE = `
:root{color-scheme:light dark;--page:#eceef1;--card:#fff;--ink:#16181d;--soft:#555b66;--link:#0b57d0;
font:16px/1.5 system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{--page:#0c0d10;--card:#191b20;--ink:#eef0f4;--soft:#a5acb8;--link:#8ab4f8}}
html{background:var(--page);color:var(--ink)}
body{margin:0 auto;max-width:80rem;padding:1rem}
main{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));align-items:start;
margin-top:1rem}
@media (max-width:36rem){html{scroll-snap-type:y proximity}header{scroll-snap-align:start;scroll-margin:1rem}
article{scroll-snap-align:center}}
h1{font-size:1.4rem;margin:0}h2{font-size:1rem;margin:.75rem 1rem 0}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
article,.empty{background:var(--card);border-radius:1.75rem;padding-bottom:1rem;overflow:hidden;
border:1px solid color-mix(in srgb,var(--ink) 15%,transparent)}
video{display:block;width:100%;aspect-ratio:9/16;max-height:75svh;background:#000;object-fit:contain}
h2 span{font-size:.8rem;font-weight:600;color:var(--soft);border:1px solid;border-radius:1rem;padding:.05rem .6rem;
margin-left:.25rem}
.text{margin:.25rem 1rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.when{margin:.25rem 1rem 0;font-size:.9rem;color:var(--soft)}
.empty{padding:2rem 1rem;text-align:center}.empty h2{margin-top:0}
code{overflow-wrap:anywhere}
`;
