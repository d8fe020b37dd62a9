/**
 * SQL: a parameter with a list whose length the planner does not see. It finds a plan for the one id in a parameter cheaper
 * than a plan for any number of them, so it would plan the statement again at each call. For statements with many joins, that
 * takes longer than to run them.
 * @param parameter `$1` for the first
 */
export const listParameter = (parameter: string, type: 'uuid' | 'text' = 'uuid'): string =>
  `(select ${parameter}::${type}[])::${type}[]`;
