/** Pauses or resumes a rule. Before a pause, it asks what happens to the posts in between. */
import { Button, type ButtonProps, Group, Modal, Radio, Stack } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { usePauseRule } from '../../queries/rules.ts';
import { Failure } from '../../ui/failure.tsx';
import { IconPlayerPause, IconPlayerPlay } from '../../ui/icons/index.ts';

interface PauseButtonProps extends Pick<ButtonProps, 'variant' | 'color' | 'c'> {
  rule: Pick<Rule, 'id' | 'isPaused'>;
  /** Read aloud instead of the text. */
  label?: string;
}

type Between = 'skip' | 'keep';

export function PauseButton({ rule: { id, isPaused }, label, ...style }: PauseButtonProps) {
  const t = useTranslations('reposts');
  const tStates = useTranslations('states');
  const pause = usePauseRule();
  const [between, setBetween] = useState<Between | null>(null);
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  const close = () => setBetween(null);
  const confirm = async (chosen: Between) => {
    await pause.mutateAsync({ id, isPaused: true, between: chosen });
    close();
  };
  return (
    <>
      <Button
        size="xs"
        {...style}
        loading={pause.isPending}
        leftSection={<Icon size={14} aria-hidden />}
        {...(label === undefined ? {} : { 'aria-label': label })}
        onClick={() => (isPaused ? pause.mutate({ id, isPaused: false }) : setBetween('skip'))}
      >
        {isPaused ? t('resume') : t('pause')}
      </Button>
      {between === null && <Failure error={pause.error} />}
      {between !== null && (
        <Modal
          opened
          onClose={close}
          title={t('pauseTitle')}
          centered
          closeButtonProps={{ 'aria-label': tStates('close') }}
        >
          <Stack>
            <Radio.Group
              label={t('between')}
              value={between}
              onChange={(value) => setBetween(value === 'keep' ? 'keep' : 'skip')}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="skip" label={t('betweenSkip')} description={t('betweenSkipHint')} />
                <Radio value="keep" label={t('betweenKeep')} description={t('betweenKeepHint')} />
              </Stack>
            </Radio.Group>
            <Failure error={pause.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('pauseNot')}
              </Button>
              <Button loading={pause.isPending} onClick={() => void confirm(between).catch(() => {})} data-autofocus>
                {t('pause')}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
