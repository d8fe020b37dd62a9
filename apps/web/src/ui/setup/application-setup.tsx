/** One application at a platform: the steps, its state, and the form for id and secret. */
import { Badge, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import type { PlatformGuide } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import type { SetupApplication } from '../../queries/setup.ts';
import { CopyField } from '../copy-field.tsx';
import { IconExternalLink } from '../icons/index.ts';
import { RichText } from '../rich-text.tsx';
import { TitledSection } from '../titled-section.tsx';
import { ApplicationForm } from './application-form.tsx';
import { RemoveApplication } from './remove-application.tsx';
import { StoredTest } from './stored-test.tsx';

interface ApplicationSetupProps {
  setup: PlatformGuide;
  application: SetupApplication;
  onDirty(isDirty: boolean): void;
}

const COLORS = { stored: 'green', environment: 'green', none: 'gray' } as const;

export function ApplicationSetup({ setup, application, onDirty }: ApplicationSetupProps) {
  const t = useTranslations('setup');
  const { platform, name, portal, redirectUri } = setup;
  const { source, guide, scopes, variables, alsoFor } = application;
  return (
    <Stack gap="xl">
      <Group gap="xs">
        <Badge variant="light" color={COLORS[source ?? 'none']}>
          {t(`source.${source ?? 'none'}`)}
        </Badge>
        {alsoFor.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('alsoFor', { platforms: alsoFor.join(', ') })}
          </Text>
        )}
      </Group>
      <TitledSection title={t('steps', { platform: name })}>
        {portal && (
          <Group>
            <Button
              component="a"
              href={portal}
              target="_blank"
              rel="noreferrer"
              variant="default"
              rightSection={<IconExternalLink size={16} aria-hidden />}
            >
              {t('portal', { platform: name })}
            </Button>
          </Group>
        )}
        <List type="ordered" spacing="xs" pr="md">
          {guide?.steps.map((step) => (
            <List.Item key={step.en}>
              <RichText text={step} />
            </List.Item>
          ))}
        </List>
        {redirectUri && <CopyField label={t('redirect')} hint={t('redirectHint')} value={redirectUri} />}
        <CopyField label={t('scopes')} hint={t('scopesHint', { count: scopes.length })} value={scopes.join(' ')} />
      </TitledSection>
      {guide && (
        <TitledSection title={t('review')}>
          <Text>
            <RichText text={guide.review} />
          </Text>
          {guide.before && (
            <Text>
              <RichText text={guide.before} />
            </Text>
          )}
        </TitledSection>
      )}
      <TitledSection title={source ? t('change') : t('enter')}>
        {source === 'environment' ? (
          <Stack gap="xs" align="flex-start">
            <Text>{t('environment')}</Text>
            {variables.map((variable) => (
              <Code key={variable}>{variable}</Code>
            ))}
          </Stack>
        ) : (
          <ApplicationForm platform={platform} application={application} onDirty={onDirty} />
        )}
        {source && <StoredTest platform={platform} name={application.name} />}
      </TitledSection>
      {source === 'stored' && <RemoveApplication platform={name} application={application} />}
    </Stack>
  );
}
