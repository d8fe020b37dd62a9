import { Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';

interface PageTitleProps {
  children: string;
  /** A part of the page, such as a tab, for the document's title. */
  part?: string;
  size?: 'h2' | 'h4';
}

/** The heading of a page, which also sets the document's title. It can receive the focus when the page opens. */
export function PageTitle({ children, part, size = 'h2' }: PageTitleProps) {
  useDocumentTitle([...(part ? [part] : []), children, 'Reelay'].join(' · '));
  return (
    <Title order={1} size={size} tabIndex={-1}>
      {children}
    </Title>
  );
}
