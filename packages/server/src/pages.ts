/** Pages outside the API. */
import type { Context } from './context.ts';
import { htmlPage, type Page } from './http/page.ts';

/** The home page, with links for visitors without a dashboard. */
export const home: Page<Context> = {
  method: 'GET',
  path: '/',
  handle({ config }) {
    const sandbox = config.sandbox
      ? '<li><a href="/sandbox">Sandbox</a>: what was posted to simulated platforms</li>'
      : '';
    const body = `<h1>Reelay</h1><p>Posts one short vertical video everywhere at once, exactly once.</p>
<ul><li><a href="/docs">Reference of the API</a></li>${sandbox}</ul>`;
    return { status: 200, body: htmlPage('Reelay', body) };
  },
};
