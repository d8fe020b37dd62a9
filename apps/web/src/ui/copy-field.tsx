import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { GrowingTextarea } from './growing-textarea.tsx';
import { IconCheck, IconCopy } from './icons/index.ts';

/** A read-only field with a copy button. */
export function CopyField({ label, hint, value }: { label: string; hint?: string; value: string }) {
  const t = useTranslations('states');
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <GrowingTextarea
          minRows={1}
          label={label}
          description={hint}
          value={value}
          readOnly
          translate="no"
          inputStyle={{ fontFamily: 'var(--mantine-font-family-monospace)', overflowWrap: 'anywhere' }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          rightSection={
            <Tooltip label={copied ? t('copied') : t('copy')} opened={copied || undefined}>
              <ActionIcon
                variant="subtle"
                color={copied ? 'green' : 'gray'}
                onClick={copy}
                aria-label={copied ? `${label}: ${t('copied')}` : `${label}: ${t('copy')}`}
              >
                {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          }
        />
      )}
    </CopyButton>
  );
}
