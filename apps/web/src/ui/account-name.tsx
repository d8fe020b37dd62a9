import { Fragment } from 'react';

/** What people call an account: its display name, or else its handle. */
export function accountName({ displayName, username }: { displayName?: string | undefined; username: string }): string {
  return displayName || username;
}

/** An account's name. Lines break after dots, hyphens and underscores first, then within words. */
export function AccountName({ name }: { name: string }) {
  return (
    <span translate="no">
      {[...name.matchAll(/[^._-]+[._-]*|[._-]+/g)].map(({ 0: part, index: start }) => (
        <Fragment key={start}>
          {start > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
