/** Describes the rule that a drawn arrow adds or added. */
import { Alert, Button, Group, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { accountLabel } from '../account-label.ts';
import { pathInWords, type Verdict } from './drawing.ts';
import classes from './picture.module.css';

interface RefusalNoticeProps {
  verdict: Verdict;
  from: string;
  to: string;
  accounts: readonly Platform[];
  /** Absent while the arrow is being drawn. */
  onClose?(): void;
}

/** Why an arrow cannot be drawn. A loop is named by its accounts. */
export function RefusalNotice({ verdict, from, to, accounts, onClose }: RefusalNoticeProps) {
  const t = useTranslations('reposts.graph');
  const tRule = useTranslations('reposts');
  const nameOf = (id: string) => {
    const account = accounts.find((each) => each.id === id);
    return account ? accountLabel(account) : id;
  };
  const texts = {
    self: () => t('self'),
    exists: () => t('exists', { from: nameOf(from), to: nameOf(to) }),
    disconnected: () => t('disconnected', { name: verdict.kind === 'disconnected' ? nameOf(verdict.account) : '' }),
    loop: () => tRule('loopOf', { path: verdict.kind === 'loop' ? pathInWords(accounts, verdict.path) : '' }),
  };
  return (
    <Alert
      color="red"
      variant="default"
      className={classes.notice ?? ''}
      role="alert"
      title={t(verdict.kind === 'loop' ? 'loopTitle' : 'refusedTitle')}
      withCloseButton={onClose !== undefined}
      closeButtonLabel={t('close')}
      {...(onClose ? { onClose } : {})}
      bd="1px solid var(--mantine-color-red-filled)"
    >
      {texts[verdict.kind]()}
    </Alert>
  );
}

interface AddedNoticeProps {
  text: string;
  isUndoing: boolean;
  onOptions(): void;
  onUndo(): void;
  onClose(): void;
}

/** Reports that drawing added a rule, with a button to undo it. */
export function AddedNotice({ text, isUndoing, onOptions, onUndo, onClose }: AddedNoticeProps) {
  const t = useTranslations('reposts');
  return (
    <Alert
      color="green"
      variant="default"
      className={classes.notice ?? ''}
      role="status"
      withCloseButton
      closeButtonLabel={t('graph.close')}
      onClose={onClose}
      bd="1px solid var(--mantine-color-green-filled)"
    >
      <Text size="sm" mb="xs">
        {text}
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={onOptions}>
          {t('options')}
        </Button>
        <Button size="compact-sm" variant="default" loading={isUndoing} onClick={onUndo}>
          {t('graph.undo')}
        </Button>
      </Group>
    </Alert>
  );
}
