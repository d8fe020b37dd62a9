/**
 * Renders the sandbox feed: posts of the simulated platforms, as JSON and as a page that plays them. Pure functions.
 */
import { TROUBLE_TAGS } from '../contract.ts';
import { escapeHtml } from '../http/pages.ts';
import { layout } from './layout.ts';
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
  return layout('Sandbox feed', HEADER, posts);
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

const HEADER = `<p>What the simulated platforms received. Nothing left this machine.</p>
<p><a href="/sandbox/feed.json">View as JSON</a> · <a href="/sandbox/phone">Post from a phone</a> ·
<a href="/sandbox/credentials">Use your own client</a></p>
<details>
<summary>Simulate a fault</summary>
<p>A caption with one of these tags makes the platform fail: ${TROUBLE_TAGS.map((tag) => `<code>#sandbox-${tag}</code>`).join(' ')}</p>
</details>`;
