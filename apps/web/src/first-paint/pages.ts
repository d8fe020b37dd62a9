/** The pages that have a skeleton. Pure. */

export const PAGES = [
  'compose',
  'posts',
  'calendar',
  'accounts',
  'reposts',
  'settings',
  'sandbox',
  'operator',
] as const;

export type PageName = (typeof PAGES)[number];

interface Place {
  /** `other`: a page without a skeleton of its own. */
  page: PageName | 'other';
  /** Below the address of the page: one of its parts. */
  isBelow: boolean;
}

/** @param path with the prefix of the dashboard: `/app/posts` */
export function pageAt(path: string): Place {
  const [, , first = '', ...rest] = path.split('/');
  const page = first === '' ? 'compose' : (PAGES.find((each) => each === first && each !== 'compose') ?? 'other');
  // The parts of the operator's page have its title.
  return { page, isBelow: page !== 'operator' && rest.some((part) => part !== '') };
}
