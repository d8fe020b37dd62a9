/** Asks for the second factor, if the user has set up an authenticator app. */
import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useEnterCode } from '../../queries/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { focusField } from './focus-field.ts';
import { SignInCard } from './sign-in-card.tsx';

interface SecondFactorProps {
  onDone(): Promise<unknown>;
  /** Back to the password. The service waits some minutes for the code. */
  onRestart(): void;
}

export function SecondFactor({ onDone, onRestart }: SecondFactorProps) {
  const t = useTranslations('signIn');
  const [code, setCode] = useState('');
  const [isBackup, setIsBackup] = useState(false);
  const enter = useEnterCode();
  const submit = async () => {
    await enter.mutateAsync({ code: code.trim(), isBackup });
    await onDone();
  };
  return (
    <SignInCard title={t('secondFactor')} onSubmit={submit}>
      <Text>{isBackup ? t('backupHint') : t('codeHint')}</Text>
      <TextInput
        key={isBackup ? 'backup' : 'code'}
        label={isBackup ? t('backupCode') : t('code')}
        autoComplete="one-time-code"
        inputMode={isBackup ? 'text' : 'numeric'}
        required
        ref={focusField}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <Failure error={enter.error} />
      <Button type="submit" loading={enter.isPending}>
        {t('signIn')}
      </Button>
      <Anchor
        component="button"
        type="button"
        onClick={() => {
          setIsBackup(!isBackup);
          setCode('');
        }}
      >
        {isBackup ? t('useCode') : t('useBackup')}
      </Anchor>
      <Anchor component="button" type="button" onClick={onRestart}>
        {t('startAgain')}
      </Anchor>
    </SignInCard>
  );
}
