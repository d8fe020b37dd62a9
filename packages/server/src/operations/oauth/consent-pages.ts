/** The browser pages of the consent flow: to the platform, and back. */
import { newToken } from '../../accounts/connect/attempt-store.ts';
import { browserCookie, browserOf } from '../../accounts/connect/browser-cookie.ts';
import type { ConsentStep } from '../../accounts/connect/consent-page.ts';
import { isLoopback } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { FOR_OTHER_SITES, htmlPage, type Page, type PageRequest, type PageResponse } from '../../http/page.ts';
import { consentLimit } from '../../http/request-limits.ts';
import { DASHBOARD_PATH } from '../../http/web-files.ts';
import { escapeHtml } from '../../lib/html.ts';
import type { Message } from '../../messages/message.ts';
import { pageText } from '../../messages/pages.ts';
import { choicesIn, choosePage, type Speaking } from './choose-page.ts';
import { confirmationToken, confirmPage, isConfirmed, isOwnForm } from './confirm-page.ts';

export const consentStart: Page<Context> = {
  method: 'GET',
  path: '/oauth/{platform}/start',
  limit: consentLimit,
  async handle(context, request) {
    const home = homeOf(context.config.publicUrl, request.header('host') ?? '');
    const { platform = '' } = request.params;
    // The callback goes to the public URL, and only there the browser sends the cookie.
    if (home) return redirect(`${home}/oauth/${encodeURIComponent(platform)}/start?${request.query}`);
    const ticket = request.query.get('ticket') ?? '';
    const step = await context.accounts.describeConsent({
      platform,
      ticket,
      signedIn: await signedIn(context, request),
    });
    if (step.then !== 'confirm') return responseOf(context, step, request);
    const browser = browserOf(context.config, request) ?? newToken();
    const response = confirmPage(context, step.request, { ticket, token: confirmationToken(browser, ticket) });
    return { ...response, headers: { ...response.headers, 'set-cookie': browserCookie(context.config, browser) } };
  },
};

export const consentConfirm: Page<Context> = {
  method: 'POST',
  path: '/oauth/{platform}/start',
  limit: consentLimit,
  async handle(context, request) {
    const { platform = '' } = request.params;
    const ticket = request.form.get('ticket') ?? '';
    const browser = browserOf(context.config, request);
    if (!browser || !isOwnForm(context.config, request) || !isConfirmed(browser, ticket, request.form.get('token')))
      return told(context, 403, { title: pageText('unconfirmed_title'), text: [pageText('unconfirmed')] });
    const visit = { platform, ticket, signedIn: await signedIn(context, request) };
    if (request.form.get('decision') === 'cancel')
      return responseOf(context, await context.accounts.cancelConsent(visit), request);
    return responseOf(context, await context.accounts.startConsent({ ...visit, browser }), request);
  },
};

async function signedIn({ signIn }: Context, request: PageRequest): Promise<string | null> {
  const cookies = request.header('cookie');
  const session = cookies ? await signIn.session(cookies) : null;
  return session?.userId ?? null;
}

export const consentCallback: Page<Context> = {
  method: 'GET',
  path: '/oauth/{platform}/callback',
  limit: consentLimit,
  writes: true,
  async handle(context, request) {
    const { platform = '' } = request.params;
    const home = homeOf(context.config.publicUrl, request.header('host') ?? '');
    // The cookie belongs to this machine's other name (loopback clients must be redirected to an IP address, RFC 8252,
    // 7.3).
    if (home) return redirect(`${home}/oauth/${encodeURIComponent(platform)}/callback?${request.query}`);
    const step = await context.accounts.finishConsent({
      platform,
      query: request.query,
      browser: browserOf(context.config, request),
    });
    return responseOf(context, step, request);
  },
};

export const consentChoice: Page<Context> = {
  method: 'GET',
  path: '/oauth/{platform}/choose',
  limit: consentLimit,
  writes: true,
  async handle(context, request) {
    const { platform = '' } = request.params;
    const step = await context.accounts.finishChoice({
      platform,
      token: request.query.get('token') ?? '',
      remoteIds: request.query.getAll('account'),
      choices: choicesIn(request.query),
      browser: browserOf(context.config, request),
    });
    return responseOf(context, step, request);
  },
};

/** Documents that platforms read from us: client metadata and public keys. */
export const clientDocument: Page<Context> = {
  method: 'GET',
  path: '/oauth/{document}',
  limit: consentLimit,
  async handle(context, { params }) {
    const found = await context.accounts.document(`/oauth/${params.document}`);
    const headers = { ...FOR_OTHER_SITES, 'content-type': 'application/json', 'cache-control': 'public, max-age=60' };
    if (found) return { status: 200, headers, body: JSON.stringify(found) };
    return told(context, 404, { title: pageText('missing_title'), text: [pageText('document')] });
  },
};

/**
 * Returns the origin to redirect to if a request used another name of this machine; null if the host is right. Pure.
 */
export function homeOf(publicUrl: string, host: string): string | null {
  const home = new URL(publicUrl);
  const here = URL.parse(`http://${host}`);
  if (!here || here.host === home.host || !isLoopback(home.hostname) || !isLoopback(here.hostname)) return null;
  return here.port === home.port ? home.origin : null;
}

function responseOf(context: Speaking, step: ConsentStep, request: PageRequest): PageResponse {
  if (step.then === 'redirect') return redirect(step.url, 303);
  if (step.then === 'confirm') throw new Error('A consent must be confirmed on its own page.');
  if (step.then === 'refused')
    return told(context, step.status, { title: step.title, text: [step.reason] }, step.attempt ?? request.id);
  if (step.then === 'choose') return choosePage(context, step);
  const names = step.accounts.map((account) => account.username || account.displayName).join(', ');
  const notes = step.accounts.flatMap((account) => account.notes);
  return told(context, 200, { title: pageText('connected_title'), text: [pageText('connected', { names }), ...notes] });
}

function redirect(url: string, status = 302): PageResponse {
  return { status, headers: { location: url } };
}

/** A page with a message. The dashboard's page offers to try again. */
function told(
  { language, renderMessage: render }: Speaking,
  status: number,
  page: { title: Message; text: readonly Message[] },
  requestId?: string,
): PageResponse {
  const reference = requestId
    ? `<p><small>${render(pageText('reference', { id: escapeHtml(requestId) }))}</small></p>`
    : '';
  const title = render(page.title);
  const text = page.text.map(render).join(' ');
  const body = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${reference}<p><a class="button" href="${DASHBOARD_PATH}/accounts">${render(pageText('back'))}</a></p>`;
  return { status, body: htmlPage({ title, body, language }) };
}
