import { Fragment } from 'react';

/** A name that breaks after the dots, hyphens and underscores of a handle before it breaks within a word. */
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
