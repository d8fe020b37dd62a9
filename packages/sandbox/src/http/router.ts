export type FindRoute<T> = (method: string, path: string) => { route: T; params: Record<string, string> } | null;

/** Finds the first matching route. A GET route also handles HEAD. Trailing slashes are significant. */
export function createRouter<T extends { method: string; path: string }>(routes: readonly T[]): FindRoute<T> {
  const compiled = routes.map((route) => ({ route, parts: route.path.split('/') }));
  return (method, path) => {
    const given = path.split('/');
    for (const wanted of method === 'HEAD' ? ['HEAD', 'GET'] : [method])
      for (const { route, parts } of compiled) {
        const params = route.method === wanted ? fit(parts, given) : null;
        if (params) return { route, params };
      }
    return null;
  };
}

function fit(parts: readonly string[], given: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const here = given[index];
    if (here === undefined) return null;
    if (part === '*' && index === parts.length - 1) {
      params['*'] = given.slice(index).map(decode).join('/');
      return params;
    }
    if (part.startsWith(':') && here !== '') params[part.slice(1)] = decode(here);
    else if (part !== here) return null;
  }
  return given.length === parts.length ? params : null;
}

/** Percent-decodes a text; returns it unchanged if it is malformed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
