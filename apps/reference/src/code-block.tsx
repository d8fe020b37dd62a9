import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@reelay/web/ui/icons/index.ts';
import { useTranslations } from 'use-intl';
import classes from './code-block.module.css';

interface CodeBlockProps {
  /** What the code is, for screen readers. */
  label: string;
  code: string;
  /** In place of `code`, when it is copied. */
  copied?: string;
}

/** Code that wraps, scrolls when it is long, and can be copied. */
export function CodeBlock({ label, code, copied = code }: CodeBlockProps) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
      <section className={classes.scroll} aria-label={label} tabIndex={0}>
        <pre className={classes.code}>
          <code lang="en" translate="no">
            {code}
          </code>
        </pre>
      </section>
      <div className={classes.copy}>
        <Copy text={copied} label={label} />
      </div>
    </div>
  );
}

/** A button that copies a text. */
export function Copy({ text, label }: { text: string; label: string }) {
  const t = useTranslations('reference');
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={copy}
          aria-label={`${copied ? t('copied') : t('copy')}: ${label}`}
        >
          {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
