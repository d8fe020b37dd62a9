/** The authenticator app as second factor, and its backup codes. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import {
  secondFactorQuery,
  useBeginSecondFactor,
  useDisableSecondFactor,
  useRenewBackupCodes,
  userQuery,
} from '../../queries/user.ts';
import { BackupCodes } from './backup-codes.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { EnrollApp } from './enroll-app.tsx';
import { Section } from './section.tsx';

type Change = 'enable' | 'disable' | 'renew';

export function SecondFactor() {
  const t = useTranslations('settings');
  const { data: user } = useSuspenseQuery(userQuery(useClient()));
  const [asking, setAsking] = useState<Change | null>(null);
  const begin = useBeginSecondFactor();
  const disable = useDisableSecondFactor();
  const renew = useRenewBackupCodes();
  const isOn = user.secondFactor;
  const changes = {
    enable: { change: begin, title: t('factorEnable'), text: t('factorPassword') },
    disable: { change: disable, title: t('factorDisable'), text: t('factorLost') },
    renew: { change: renew, title: t('codesRenew'), text: t('codesLost') },
  } as const;
  const asked = asking && changes[asking];
  const ask = (change: Change) => {
    changes[change].change.reset();
    setAsking(change);
  };
  return (
    <Section id="second-factor" title={t('secondFactor')} hint={t('secondFactorHint')}>
      {begin.data && <EnrollApp begun={begin.data} onDone={() => begin.reset()} />}
      {renew.data && <BackupCodes title={t('codesRenewed')} codes={renew.data} onDone={() => renew.reset()} />}
      {!begin.data && !renew.data && (
        <>
          <Text>{isOn ? t('factorOn') : t('factorOff')}</Text>
          {isOn && <CodesLeft />}
          <Group>
            {isOn && (
              <Button variant="default" onClick={() => ask('renew')}>
                {t('codesRenew')}
              </Button>
            )}
            <Button
              variant={isOn ? 'subtle' : 'default'}
              color={isOn ? 'red' : undefined}
              onClick={() => ask(isOn ? 'disable' : 'enable')}
            >
              {isOn ? t('factorDisable') : t('factorEnable')}
            </Button>
          </Group>
        </>
      )}
      {asked && (
        <ConfirmPassword
          title={asked.title}
          text={asked.text}
          isDangerous={asking === 'disable'}
          isPending={asked.change.isPending}
          error={asked.change.error}
          onConfirm={(password) => asked.change.mutateAsync(password)}
          onClose={() => setAsking(null)}
        />
      )}
    </Section>
  );
}

/** Below this number of backup codes, a warning is shown. */
const FEW = 3;

/** The number of unused backup codes. Renders nothing while it is unknown. */
function CodesLeft() {
  const t = useTranslations('settings');
  const { data } = useQuery(secondFactorQuery(useClient()));
  const count = data?.backupCodesLeft ?? null;
  if (count === null) return null;
  return (
    <Text size="sm" c={count < FEW ? undefined : 'dimmed'} fw={count < FEW ? 600 : undefined}>
      {t('codesLeft', { count })}
    </Text>
  );
}
