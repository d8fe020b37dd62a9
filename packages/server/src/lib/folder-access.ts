/** Explains why a program has no access to its data folder. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Names the owner of a folder that this process may not use, and the command that helps; null for other errors. */
export function accessRefusal({ code, path }: NodeJS.ErrnoException): string | null {
  if (path === undefined || (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS')) return null;
  if (code === 'EROFS') return `${path} is on a read-only file system. Set DATA_DIR to a folder that can be written.`;
  const uid = process.getuid?.();
  const existing = nearest(path);
  const owner = uid === undefined ? null : `${existing} belongs to the user id ${statSync(existing).uid}.`;
  const problem = `This process${uid === undefined ? '' : ` (user id ${uid})`} has no access to ${path}.`;
  // What root cannot use, no owner can.
  const advice =
    uid === 0
      ? 'Set DATA_DIR to another folder.'
      : `Give it the data folder, as root: chown -R ${uid ?? 'USER'} DATA_DIR. Or set DATA_DIR to another folder.`;
  return [problem, owner, advice].filter(Boolean).join(' ');
}

/** The path, or its nearest parent that can be seen. */
function nearest(path: string): string {
  for (let at = path; at !== dirname(at); at = dirname(at))
    try {
      statSync(at);
      return at;
    } catch {
      // It is missing, or in a folder that hides it.
    }
  return '/';
}
