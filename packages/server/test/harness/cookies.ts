/** Cookies as a browser sends them back. */
import type { TestResponse } from './service.ts';

/** The cookies that a response sets, as a `cookie` header. Those that it deletes are left out. */
export const cookiesOf = ({ headers }: TestResponse): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0] ?? '')
    .filter((each) => !each.endsWith('='))
    .join('; ');
