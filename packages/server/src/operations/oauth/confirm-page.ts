/**
 * The confirmation page before an account is connected. A connect link can be sent to anyone, and its reader may have
 * consented at the platform long ago. So the page must name the user who would be able to post to the account.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ConsentRequest } from '../../accounts/connect/consent-page.ts';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { htmlPage, PAGE_HEADERS, type PageRequest, type PageResponse } from '../../http/page.ts';
import { escapeHtml } from '../../lib/html.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { pageText } from '../../messages/pages.ts';

/**
 * Creates the token that ties a form to this browser and this ticket (CSRF protection). Other sites can read neither.
 */
export function confirmationToken(browser: string, ticket: string): string {
  return createHmac('sha256', browser).update(`confirm ${ticket}`).digest('base64url');
}

/** Whether a form contains the token of {@link confirmationToken}. */
export function isConfirmed(browser: string, ticket: string, token: string | null): boolean {
  const [wanted, given] = [Buffer.from(confirmationToken(browser, ticket)), Buffer.from(token ?? '')];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Whether a form was sent from one of our pages, according to the browser's headers. Pure. */
export function isOwnForm({ publicUrl }: Pick<Config, 'publicUrl'>, { header }: Pick<PageRequest, 'header'>): boolean {
  const [site, origin] = [header('sec-fetch-site'), header('origin')];
  const own = new URL(publicUrl).origin;
  return (site ?? 'same-origin') === 'same-origin' && (origin ?? own) === own;
}

/** What pages are rendered with. */
export interface PageContext extends Pick<Context, 'language' | 'renderMessage'> {
  config: Pick<Config, 'allowedPrivateHosts'>;
}

/** @param form values that the form sends back */
export function confirmPage(
  { config, language, renderMessage: render }: PageContext,
  request: ConsentRequest,
  form: { ticket: string; token: string },
): PageResponse {
  const { name, user, service, identifier, sandbox } = request;
  const [platform, owner] = [escapeHtml(name), escapeHtml(user)];
  const rows: [string, string][] = [
    [render(pageText('confirm_user')), `<strong>${owner}</strong>`],
    [render(pageText('confirm_requested')), when(request, render)],
    ...named(render(pageText('confirm_account')), identifier),
    ...named(render(pageText('confirm_server')), service && hostOf(service)),
  ];
  const title = render(pageText('confirm_title', { platform: name }));
  const body = `<h1>${escapeHtml(title)}</h1>
<p>${render(pageText('confirm_lead', { platform, user: owner }))}</p>
${sandbox ? `<p>${render(pageText('confirm_sandbox', { platform }))}</p>` : ''}
<dl>${rows.map(([term, text]) => `<div><dt>${term}</dt><dd>${text}</dd></div>`).join('\n')}</dl>
<p class="warning">${render(pageText('confirm_warning', { user: owner }))}</p>
<form method="post"><input type="hidden" name="ticket" value="${escapeHtml(form.ticket)}"><input type="hidden" name="token" value="${escapeHtml(form.token)}">
<button type="submit" class="first">${render(pageText('confirm_continue', { platform }))}</button>
<button type="submit" name="decision" value="cancel">${render(pageText('confirm_cancel'))}</button></form>`;
  return { status: 200, headers: headersFor(config), body: htmlPage({ title, body, language, style: STYLE }) };
}

/** Browsers apply `form-action` also to the redirect after a form. A form sent without a referrer has no origin. */
function headersFor({ allowedPrivateHosts }: Pick<Config, 'allowedPrivateHosts'>): Record<string, string> {
  const targets = allowedPrivateHosts.length > 0 ? "'self' https: http:" : "'self' https:";
  const policy = PAGE_HEADERS['content-security-policy'].replace("form-action 'self'", `form-action ${targets}`);
  return { 'content-security-policy': policy, 'referrer-policy': 'same-origin' };
}

function when({ askedAt, minutesAgo }: ConsentRequest, render: MessageRenderer): string {
  const iso = askedAt.toISOString();
  const ago = minutesAgo < 1 ? pageText('just_now') : pageText('minutes_ago', { minutes: minutesAgo });
  return `<time datetime="${iso}">${iso.slice(11, 16)} UTC</time>, ${render(ago)}`;
}

/**
 * The creator of the link chose this text. It is shown only if it looks like a name, not like words that could mislead
 * the reader.
 */
function named(term: string, text: string | null): [string, string][] {
  return text && /^[\w.@:[\]-]{1,100}$/.test(text) ? [[term, escapeHtml(text)]] : [];
}

function hostOf(service: string): string {
  return URL.parse(service)?.host || service;
}

const STYLE = `dl{margin:1.5rem 0;border:1px solid var(--line);border-radius:.5rem}dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.6rem 1rem}
dl div+div{border-top:1px solid var(--line)}dt{flex:0 0 6.5rem;color:var(--dim)}dd{flex:1 1 10rem;margin:0}
.warning{border-left:.25rem solid var(--bad);padding:.25rem 0 .25rem 1rem}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}button{flex:1 1 auto}`;
