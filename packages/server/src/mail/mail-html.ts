/**
 * The HTML part of a mail, generated from its text. Pure. It has no scripts and no images, and loads nothing. The text
 * may contain words of users and platforms: all of it is escaped, and only http and https addresses become links.
 *
 * Mail clients support little CSS, and some remove the style sheet. Everything but the dark colors is therefore inline,
 * and the layout is made of tables.
 */
import { DARK, LIGHT } from '../lib/colors.ts';
import { escapeHtml } from '../lib/html.ts';
import type { Mail } from '../messages/mail.ts';

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** `!important` overrides inline styles. */
const DARK_STYLE = `@media (prefers-color-scheme:dark){
.page{background-color:${DARK.page}!important}
.card{background-color:${DARK.paper}!important;border-color:${DARK.line}!important}
.entry{border-color:${DARK.line}!important}
.top,.button{background-color:${DARK.first}!important}
.text{color:${DARK.text}!important}
.dim{color:${DARK.dim}!important}
.link{color:${DARK.link}!important}
}`;

/** The logo: a white bar and triangle. Outlook cannot draw it and shows the name only. */
const LOGO = `<td style="padding-right:10px;mso-hide:all"><div style="border-left:3px solid #fff;padding-left:2px"><div style="width:0;height:0;border-top:9px solid transparent;border-bottom:9px solid transparent;border-left:14px solid #fff;font-size:0;line-height:0"></div></div></td>`;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const PARAGRAPH = 'margin:0 0 16px;overflow-wrap:anywhere';

/** Ends where a mail client would end it too: at a space, a quote, a control or an invisible character. */
const ADDRESS = /https?:\/\/[^\s<>"“”„«»\p{Cc}\p{Cf}]+/gu;
/** Characters that end a sentence or close a bracket, not an address. */
const CLOSING = '.,;:!?\'")]}’';
/** Shows that a text was cut: a cut address leads somewhere else. */
const CUT = '…';

const BULLET = '- ';
/** The line before a signature (RFC 3676, 4.3). */
const SIGNATURE = '\n-- \n';

/** Consecutive lines of one sort: items of a list, addresses that have a line to themselves, or text. */
interface Group {
  sort: 'item' | 'address' | 'text';
  lines: string[];
}

/** Renders a complete HTML document. Pure. */
export function mailHtml({ subject, text, language, action }: Mail): string {
  const end = text.indexOf(SIGNATURE);
  const paragraphs = paragraphsOf(end < 0 ? text : text.slice(0, end));
  const footer = end < 0 ? [] : linesOf(text.slice(end + SIGNATURE.length));
  const addresses = paragraphs.flat().flatMap(({ sort, lines }) => (sort === 'address' ? lines : []));
  const label = addresses.length === 1 ? action : undefined;
  const body = paragraphs.map((groups, index) => entryHtml(groups, paragraphs[index - 1], label)).join('\n');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title>
<style>${DARK_STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${LIGHT.page}">
<div class="page" role="article" lang="${language}" style="padding:40px 16px;background-color:${LIGHT.page};font-family:${FONT}">
<table ${TABLE} class="card" align="center" width="560" style="width:100%;max-width:560px;margin:0 auto;border-collapse:separate;border:1px solid ${LIGHT.line};border-radius:12px;overflow:hidden;background-color:${LIGHT.paper}">
<tr><td class="top" style="padding:20px 32px;border-radius:11px 11px 0 0;background-color:${LIGHT.first}">
<table ${TABLE}><tr>${LOGO}<td style="font-size:18px;line-height:24px;font-weight:700;color:#fff">Reelay</td></tr></table>
</td></tr>
<tr><td class="text" style="padding:32px 32px 24px;font-size:16px;line-height:26px;color:${LIGHT.text}">
<h1 class="text" dir="auto" style="margin:0 0 20px;font-size:22px;line-height:30px;font-weight:700;color:${LIGHT.text};overflow-wrap:anywhere">${escapeHtml(subject)}</h1>
${body}
</td></tr>
</table>
${footer.length > 0 ? footerHtml(footer) : ''}
</div>
</body>
</html>
`;
}

function footerHtml(lines: readonly string[]): string {
  return `<table ${TABLE} align="center" width="560" style="width:100%;max-width:560px;margin:0 auto"><tr><td style="padding:20px 32px 0;font-size:13px;line-height:20px">
${paragraphHtml(lines, 'dim', 'margin:0')}
</td></tr></table>`;
}

/** Groups of each paragraph. */
function paragraphsOf(text: string): Group[][] {
  return text
    .split('\n\n')
    .map((paragraph) => groupsOf(linesOf(paragraph)))
    .filter((groups) => groups.length > 0);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function groupsOf(lines: readonly string[]): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const sort = line.startsWith(BULLET) ? 'item' : isAddress(line) ? 'address' : 'text';
    const last = groups.at(-1);
    if (last?.sort === sort) last.lines.push(line);
    else groups.push({ sort, lines: [line] });
  }
  return groups;
}

/**
 * Renders a paragraph. One with several groups is an entry: a line separates it from an entry before it.
 * @param label of the button that opens an address; undefined: addresses are links
 */
function entryHtml(groups: readonly Group[], before: readonly Group[] | undefined, label: string | undefined): string {
  const body = groups.map((group) => groupHtml(group, label)).join('\n');
  const isSeparate = before !== undefined && before.length > 1 && groups.length > 1;
  if (!isSeparate) return body;
  return `<div class="entry" style="margin:8px 0 0;padding:24px 0 0;border-top:1px solid ${LIGHT.line}">\n${body}\n</div>`;
}

function groupHtml({ sort, lines }: Group, label: string | undefined): string {
  if (sort === 'item') return listHtml(lines);
  if (sort === 'text') return paragraphHtml(lines, 'text', PARAGRAPH);
  const [address] = lines;
  if (address !== undefined && label !== undefined) return buttonHtml(address, label);
  return paragraphHtml(lines, 'text', `${PARAGRAPH};font-size:14px`);
}

function paragraphHtml(lines: readonly string[], color: 'text' | 'dim', style: string): string {
  const body = lines.map(inlineHtml).join('<br>');
  return `<p class="${color}" dir="auto" style="${style};color:${LIGHT[color]}">${body}</p>`;
}

function listHtml(lines: readonly string[]): string {
  const items = lines.map(
    (line) => `<li dir="auto" style="margin:0 0 6px">${inlineHtml(line.slice(BULLET.length))}</li>`,
  );
  return `<ul class="text" style="margin:0 0 16px;padding:0 0 0 20px;overflow-wrap:anywhere;color:${LIGHT.text}">\n${items.join('\n')}\n</ul>`;
}

/** A button, and its address as text, so that readers see where it goes. */
function buttonHtml(address: string, label: string): string {
  const href = escapeHtml(address);
  return `<table ${TABLE} style="margin:8px 0 12px;border-collapse:separate"><tr><td class="button" style="border-radius:8px;background-color:${LIGHT.first}"><a href="${href}" style="display:inline-block;padding:12px 24px;font-size:16px;line-height:20px;font-weight:600;color:#fff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="dim" dir="ltr" style="margin:0 0 20px;font-size:13px;line-height:20px;word-break:break-all;color:${LIGHT.dim}">${href}</p>`;
}

/** Escapes one line, and makes its addresses links. */
function inlineHtml(line: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: found, index } of line.matchAll(ADDRESS)) {
    const address = withoutClosing(found);
    if (!isComplete(address)) continue;
    const href = escapeHtml(address);
    const link = `<a class="link" href="${href}" dir="ltr" style="color:${LIGHT.link};word-break:break-word">${href}</a>`;
    parts.push(escapeHtml(line.slice(at, index)), link);
    at = index + address.length;
  }
  return [...parts, escapeHtml(line.slice(at))].join('');
}

/** Whether a line consists of one address. */
function isAddress(line: string): boolean {
  const [first] = line.match(ADDRESS) ?? [];
  return first === line && withoutClosing(line) === line && isComplete(line);
}

const isComplete = (address: string) => !address.endsWith(CUT) && URL.canParse(address);

function withoutClosing(address: string): string {
  let end = address.length;
  while (end > 0 && CLOSING.includes(address.charAt(end - 1))) end--;
  return address.slice(0, end);
}
