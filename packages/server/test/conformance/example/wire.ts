/** The wire table of the example platform, as documented in its simulator's header. */
import { BEARER, FILLED } from '../../wire/rules.ts';
import { object, text } from '../../wire/shapes.ts';
import type { WireTable } from '../../wire/table.ts';

const api = { at: 'api', auth: BEARER } as const;

export const table: WireTable = {
  requests: [
    { method: 'GET', path: '/me', ...api },
    { method: 'PUT', path: '/videos/:key', ...api, body: { kind: 'bytes', type: /^video\// } },
    {
      method: 'POST',
      path: '/posts',
      ...api,
      body: { kind: 'json', shape: object({ key: text(FILLED), video: text(FILLED), text: text(/^.{0,200}$/su) }) },
    },
    { method: 'GET', path: '/posts/:key', ...api },
  ],
};
