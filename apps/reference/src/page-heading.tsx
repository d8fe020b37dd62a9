import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { usePlace } from './place.tsx';

/** The heading of a page. It names the browser's tab, and takes the focus when the page was opened by a link. */
export function PageHeading({ name, children }: { name: string; children: ReactNode }) {
  const t = useTranslations('reference');
  const { visit } = usePlace();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t('titleOf', { name });
  }, [t, name]);
  useEffect(() => {
    if (visit > 0) heading.current?.focus({ preventScroll: true });
  }, [visit]);
  return (
    <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }}>
      {children}
    </Title>
  );
}
