/** The methods allowed at each path, for 405 and OPTIONS responses. */
export interface Routes {
  /** Returns the value of the `Allow` header; null if nothing exists at this path. */
  allowed(path: string): string | null;
  /**
   * Whether a path is served with other methods only, although a parameter of another path could match its last segment:
   * `DELETE /post/history` is not a deletion of the post "history".
   */
  isRefused(method: string, path: string): boolean;
}

/** @param routes paths with parameters in braces */
export function createRoutes(routes: readonly { method: string; path: string; head: boolean }[]): Routes {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path, head } of routes) {
    const methods = byPath.get(path) ?? new Set(['OPTIONS']);
    byPath.set(path, methods.add(method));
    if (head) methods.add('HEAD');
  }
  const table = [...byPath].map(([path, methods]) => ({ pattern: patternOf(path), methods }));
  return {
    isRefused: (method, path) => byPath.get(path)?.has(method) === false,
    allowed(path) {
      const literal = byPath.get(path);
      const matching = literal ? [{ methods: literal }] : table.filter(({ pattern }) => pattern.test(path));
      const methods = matching.flatMap(({ methods }) => [...methods]);
      return methods.length === 0 ? null : [...new Set(methods)].sort().join(', ');
    },
  };
}

/** Converts `/post/{id}` to a pattern. A parameter matches one path segment; other text matches literally. */
export function patternOf(path: string): RegExp {
  const source = path
    .split(/\{[^{}]+\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}
