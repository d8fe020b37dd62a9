/** Which methods an address knows: for 405 and OPTIONS. */
export interface Routes {
  /** Methods for the `Allow` header; null where nothing is at this path. */
  allowed(path: string): string | null;
}

/** @param routes paths with parts in braces as parameters */
export function createRoutes(routes: readonly { method: string; path: string; head: boolean }[]): Routes {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path, head } of routes) {
    const methods = byPath.get(path) ?? new Set(['OPTIONS']);
    byPath.set(path, methods.add(method));
    if (head) methods.add('HEAD');
  }
  const table = [...byPath].map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  return {
    allowed(path) {
      const methods = table.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
      return methods.length === 0 ? null : [...new Set(methods)].sort().join(', ');
    },
  };
}

/** `/post/{id}` matches one part; the text between is taken as it stands. */
export function patternOf(path: string): RegExp {
  const source = path
    .split(/\{[^{}]+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
