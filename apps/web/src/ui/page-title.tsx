import { Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';

interface PageTitleProps {
  children: string;
  /** What is shown of the page, for the title of the document. */
  part?: string;
  size?: 'h2' | 'h4';
}

/** The heading of a page, which also names the document. It can take the focus when the page is opened. */
export function PageTitle({ children, part, size = 'h2' }: PageTitleProps) {
  useDocumentTitle([...(part ? [part] : []), children, 'Reelay'].join(' · '));
  return (
    <Title order={1} size={size} tabIndex={-1}>
      {children}
    </Title>
  );
}
