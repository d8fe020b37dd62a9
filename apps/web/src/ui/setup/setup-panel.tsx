/** Guides the operator through setting up a platform: steps, values to copy, and a live test of id and secret. */
import { Alert, Center, Drawer, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import type { PlatformGuide } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { platformSetupQuery } from '../../queries/setup.ts';
import { Failure } from '../failure.tsx';
import { IconAlertTriangle } from '../icons/index.ts';
import { PlatformIcon, platformName } from '../platform-icon.tsx';
import { useFormText } from '../rich-text.tsx';
import { UnsavedGuard } from '../unsaved-guard.tsx';
import { ApplicationSetup } from './application-setup.tsx';

/** @param onClose navigates away, so that unsaved changes are not lost silently */
export function SetupPanel({ platform, onClose }: { platform: string; onClose(): void }) {
  const t = useTranslations('setup');
  const tStates = useTranslations('states');
  const { data: setup, error } = useQuery(platformSetupQuery(useClient(), platform));
  const [isDirty, setIsDirty] = useState(false);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={
        <Group component="span" gap="xs" wrap="nowrap">
          <PlatformIcon platform={platform} size={24} />
          <Text component="span" fw={600} size="lg">
            {t('title', { platform: platformName(platform) })}
          </Text>
        </Group>
      }
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <Failure error={error} />
      {!setup && !error && (
        <Center mih={200}>
          <Loader aria-label={tStates('loading')} />
        </Center>
      )}
      {setup && <Content setup={setup} onDirty={setIsDirty} />}
      <UnsavedGuard isDirty={isDirty} />
    </Drawer>
  );
}

function Content({ setup, onDirty }: { setup: PlatformGuide; onDirty(isDirty: boolean): void }) {
  const t = useTranslations('setup');
  const textOf = useFormText();
  const { name, applications, warnings } = setup;
  const [first] = applications;
  return (
    <Stack>
      {warnings.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('warningTitle', { platform: name })}>
          {warnings.map((code) => (
            <Text key={code} size="sm">
              {t(`warning.${code}`, { platform: name })}
            </Text>
          ))}
        </Alert>
      )}
      {!first && <Text>{t('nothing', { platform: name })}</Text>}
      {first && applications.length === 1 && <ApplicationSetup setup={setup} application={first} onDirty={onDirty} />}
      {first && applications.length > 1 && (
        <>
          <Text>{t('several', { count: applications.length })}</Text>
          <Tabs defaultValue={applications.find(({ source }) => source)?.name ?? first.name}>
            <Tabs.List>
              {applications.map(({ name: app, title }) => (
                <Tabs.Tab key={app} value={app}>
                  {title ? textOf(title) : app}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {applications.map((application) => (
              <Tabs.Panel key={application.name} value={application.name} pt="md">
                <ApplicationSetup setup={setup} application={application} onDirty={onDirty} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </>
      )}
    </Stack>
  );
}
