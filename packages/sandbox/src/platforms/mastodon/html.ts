/** Renders status text as HTML and measures its length. */
import { escapeHtml } from '../../http/pages.ts';

/** Renders a status as HTML like Mastodon: paragraphs, line breaks, and links for URLs, tags, and mentions. */
export function statusHtml(text: string, baseUrl: string): string {
  if (text.trim() === '') return '';
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(paragraph, baseUrl).replaceAll('\n', '<br />')}</p>`)
    .join('');
}

const TOKENS =
  /(?<url>https?:\/\/[^\s<>"']+)|(?<=^|\s)#(?<tag>[\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)|(?<=^|\s)@(?<user>\w+)(?:@[\w.-]*\w)?/gu;

function linked(text: string, baseUrl: string): string {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(TOKENS)) {
    html += escapeHtml(text.slice(from, match.index));
    from = match.index + match[0].length;
    const { url, tag, user } = match.groups ?? {};
    if (url) html += addressLink(url);
    else if (tag)
      html += `<a href="${baseUrl}/tags/${encodeURIComponent(tag.toLowerCase())}" class="mention hashtag" rel="tag">#<span>${escapeHtml(tag)}</span></a>`;
    else if (user)
      html += `<span class="h-card"><a href="${baseUrl}/@${user}" class="u-url mention">@<span>${user}</span></a></span>`;
  }
  return html + escapeHtml(text.slice(from));
}

/** A long URL is displayed truncated, but the full URL stays in the text. */
function addressLink(url: string): string {
  const prefix = /^https?:\/\/(?:www\.)?/.exec(url)?.[0] ?? '';
  const rest = url.slice(prefix.length);
  return `<a href="${escapeHtml(url)}" target="_blank" rel="nofollow noopener noreferrer"><span class="invisible">${prefix}</span><span class="${rest.length > 30 ? 'ellipsis' : ''}">${escapeHtml(rest.slice(0, 30))}</span><span class="invisible">${escapeHtml(rest.slice(30))}</span></a>`;
}

/**
 * Returns the length as the server counts it: grapheme clusters; a URL counts 23; in `@user@domain` the domain is free.
 */
export function statusLength(text: string, spoilerText: string): number {
  const counted = (spoilerText + text)
    .replace(/https?:\/\/[^\s<>"']+/g, 'x'.repeat(23))
    .replace(/(?<=^|[^\w/])@(\w+)@[\w.-]*\w/g, '@$1');
  return [...new Intl.Segmenter().segment(counted)].length;
}
