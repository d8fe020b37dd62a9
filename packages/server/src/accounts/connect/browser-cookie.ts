/** The cookie that binds a consent to the browser that started it. */
import type { Config } from '../../config/config.ts';

const SECONDS = 1_200;

/** With https, the `__Host-` prefix prevents sibling domains from setting the cookie (RFC 6265bis, 4.1.3.2). */
function nameFor({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl.startsWith('https:') ? '__Host-reelay_connect' : 'reelay_connect';
}

/** Builds the `Set-Cookie` header. */
export function browserCookie(config: Pick<Config, 'publicUrl'>, browser: string): string {
  const name = nameFor(config);
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  return `${name}=${browser}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${SECONDS}${secure}`;
}

/** Reads the browser's token; null if the cookie is missing or present more than once. */
export function browserOf(
  config: Pick<Config, 'publicUrl'>,
  { header }: { header(name: string): string | undefined },
): string | null {
  const name = nameFor(config);
  const pairs = (header('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  const found = pairs.filter(([each]) => each === name).map(([, value]) => value ?? '');
  const [only = ''] = found.length === 1 ? found : [];
  return /^[\w-]{43}$/.test(only) ? only : null;
}
