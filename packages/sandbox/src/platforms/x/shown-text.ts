/** The text of a post as responses show it: escaped, with links as `https://t.co/…`, and with the link to its media. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import { LINK, postLength } from './post-length.ts';
import { firstId, type Medium, type Post } from './records.ts';

/** Weighted length of `text`; a longer post has its whole text in another field. */
const SHORT = 280;

export interface ShownText {
  text: string;
  /** The `entities`. Absent: there are no links. */
  entities?: JsonObject;
  /** The whole text of a long post. */
  long?: { text: string; entities?: JsonObject };
}

/** @param username of the account, in the URL of its media */
export function shownText(post: Post, username: string, media: readonly Pick<Medium, 'key'>[]): ShownText {
  const address = shortUrl(post.key);
  const page = `https://x.com/${username}/status/${firstId(post)}`;
  const mediaUrls = media.map(({ key }) => ({
    url: address,
    expanded_url: `${page}/video/1`,
    display_url: `pic.x.com/${post.key.slice(0, 10)}`,
    media_key: key,
  }));
  const render = (text: string, more: readonly JsonObject[]) => {
    const links: JsonObject[] = [];
    const shown = text.replace(LINK, (found) => {
      const expanded = found.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, '');
      const url = shortUrl(`${post.key} ${expanded}`);
      links.push({ url, expanded_url: expanded, display_url: expanded.replace(/^https?:\/\//, '').slice(0, 26) });
      return url + found.slice(expanded.length);
    });
    const full = [escaped(shown), ...(more.length > 0 ? [address] : [])].filter(Boolean).join(' ');
    const urls = [...links, ...more].map((link) => ({ ...rangeIn(full, String(link.url)), ...link }));
    return { text: full, ...(urls.length > 0 ? { entities: { urls } } : {}) };
  };
  if (postLength(post.text) <= SHORT) return render(post.text, mediaUrls);
  return { ...render(`${[...post.text].slice(0, 140).join('')}…`, mediaUrls), long: render(post.text, []) };
}

function shortUrl(name: string): string {
  return `https://t.co/${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Positions in code points, the end exclusive. */
function rangeIn(text: string, part: string): { start: number; end: number } {
  const start = [...text.slice(0, text.indexOf(part))].length;
  return { start, end: start + [...part].length };
}
