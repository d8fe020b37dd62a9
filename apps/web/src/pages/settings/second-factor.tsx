/** The authenticator app as second step of signing in. */
import { Button, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../service/service-client.ts';
import { useBeginSecondFactor, useDisableSecondFactor, userQuery } from '../../service/user.ts';
import { ConfirmPassword } from './confirm-password.tsx';
import { EnrollApp } from './enroll-app.tsx';
import { Section } from './section.tsx';

export function SecondFactor() {
  const t = useTranslations('settings');
  const { data: user } = useSuspenseQuery(userQuery(useClient()));
  const [asking, setAsking] = useState(false);
  const begin = useBeginSecondFactor();
  const disable = useDisableSecondFactor();
  const isOn = user.secondFactor;
  return (
    <Section id="second-factor" title={t('secondFactor')} hint={t('secondFactorHint')}>
      {begin.data ? (
        <EnrollApp begun={begin.data} onDone={() => begin.reset()} />
      ) : (
        <Group>
          <Text>{isOn ? t('factorOn') : t('factorOff')}</Text>
          <Button
            variant={isOn ? 'subtle' : 'default'}
            color={isOn ? 'red' : undefined}
            onClick={() => setAsking(true)}
          >
            {isOn ? t('factorDisable') : t('factorEnable')}
          </Button>
        </Group>
      )}
      {asking && (
        <ConfirmPassword
          title={isOn ? t('factorDisable') : t('factorEnable')}
          text={isOn ? t('factorLost') : t('factorPassword')}
          isDangerous={isOn}
          isPending={begin.isPending || disable.isPending}
          error={isOn ? disable.error : begin.error}
          onConfirm={(password) => (isOn ? disable.mutateAsync(password) : begin.mutateAsync(password))}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
