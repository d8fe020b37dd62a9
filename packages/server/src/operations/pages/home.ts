/** Pages outside the API. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { htmlPage, PAGE_HEADERS, type Page } from '../../http/page.ts';
import { DASHBOARD_PATH } from '../../http/web-files.ts';
import { pageText } from '../../messages/pages.ts';

/** Leads to the dashboard. */
export const home: Page<Context> = {
  method: 'GET',
  path: '/',
  handle: () => ({ status: 302, headers: { location: `${DASHBOARD_PATH}/` } }),
};

/** Responds in place of pages that are not built, as in a service that was started without `npm start`. */
export function notBuilt({ sandbox }: Pick<Config, 'sandbox'>) {
  const sandboxLink = sandbox ? `<li>${pageText('home_sandbox').text}</li>` : '';
  const body = `<h1>Reelay</h1><p>${pageText('home').text}</p><p>${pageText('home_not_built').text}</p>
<ul><li>${pageText('home_document').text}</li>${sandboxLink}</ul>`;
  return (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, PAGE_HEADERS).end(htmlPage({ title: 'Reelay', body }));
}
