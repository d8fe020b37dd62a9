/** Pages outside the API. */
import type { Context } from './context.ts';
import { htmlPage, type Page } from './http/page.ts';
import { pageText } from './messages/pages.ts';

/** The home page, with links for visitors without a dashboard. */
export const home: Page<Context> = {
  method: 'GET',
  path: '/',
  handle({ config }) {
    const sandbox = config.sandbox ? `<li>${pageText('home_sandbox').text}</li>` : '';
    const body = `<h1>Reelay</h1><p>${pageText('home').text}</p>
<ul><li>${pageText('home_reference').text}</li>${sandbox}</ul>`;
    return { status: 200, body: htmlPage('Reelay', body) };
  },
};
