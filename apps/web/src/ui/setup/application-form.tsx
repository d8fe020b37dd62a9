/** The form for id and secret of an application. They are tested before they are stored. The secret is never shown. */
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type SetupApplication, useSaveApplication } from '../../queries/setup.ts';
import { Failure } from '../failure.tsx';
import { useFormText } from '../rich-text.tsx';
import { CheckResult } from './check-result.tsx';

interface ApplicationFormProps {
  platform: string;
  application: SetupApplication;
  onDirty(isDirty: boolean): void;
}

const EMPTY = { clientId: '', clientSecret: '' };

export function ApplicationForm({ platform, application, onDirty }: ApplicationFormProps) {
  const t = useTranslations('setup');
  const textOf = useFormText();
  const { name, source, guide } = application;
  const save = useSaveApplication(platform, name);
  const [given, setGiven] = useState(EMPTY);
  const isDirty = given.clientId !== '' || given.clientSecret !== '';
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => () => onDirty(false), [onDirty]);
  const change = (changed: Partial<typeof EMPTY>) => {
    save.reset();
    setGiven((before) => ({ ...before, ...changed }));
  };
  const send = async (isForced: boolean) => {
    const { isStored } = await save.mutateAsync({ ...given, isForced });
    if (isStored) setGiven(EMPTY);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(false).catch(() => {});
  };
  const idLabel = guide ? textOf(guide.id) : t('id');
  const secretLabel = guide ? textOf(guide.secret) : t('secret');
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <TextInput
          label={idLabel}
          required
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          maxLength={2_000}
          value={given.clientId}
          onChange={({ currentTarget: { value } }) => change({ clientId: value })}
        />
        <PasswordInput
          label={secretLabel}
          description={source ? t('secretStored') : t('secretHint')}
          required
          // Otherwise browsers offer to fill in or save the user's password.
          autoComplete="new-password"
          data-1p-ignore
          data-lpignore="true"
          maxLength={2_000}
          visibilityToggleButtonProps={{ 'aria-label': t('showSecret') }}
          value={given.clientSecret}
          onChange={({ currentTarget: { value } }) => change({ clientSecret: value })}
        />
        <Failure error={save.error} />
        {save.data && <CheckResult check={save.data} isStored={save.data.isStored} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
          {save.data && !save.data.isStored && (
            <Button variant="default" disabled={save.isPending} onClick={() => void send(true).catch(() => {})}>
              {t('saveAnyway')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
