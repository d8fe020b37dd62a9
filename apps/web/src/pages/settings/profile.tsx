/** Language, time zone, and the setting for late posts. Changes are saved immediately. */
import { Radio, Select, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, LANGUAGES } from '../../messages/languages.ts';
import { useClient } from '../../queries/client.ts';
import { useEditUser, userQuery } from '../../queries/user.ts';
import { browserZone } from '../../time/zone-time.ts';
import { Failure } from '../../ui/failure.tsx';
import { useLanguage } from '../../ui/language.tsx';
import { useChooseLanguage } from '../../ui/user-language.ts';
import { Section } from './section.tsx';
import { zoneChoices } from './zones.ts';

export function Profile() {
  const t = useTranslations('settings');
  const { data: user } = useSuspenseQuery(userQuery(useClient()));
  const edit = useEditUser();
  const { language } = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const browser = browserZone();
  const zones = zoneChoices(Intl.supportedValuesOf('timeZone'), user.zone);
  return (
    <Section id="profile" title={t('profile')}>
      <Select
        label={t('language')}
        description={t('languageHint')}
        allowDeselect={false}
        data={LANGUAGES.map((each) => ({ value: each, label: LANGUAGE_NAMES[each] }))}
        value={language}
        onChange={(value) => value && chooseLanguage(value)}
      />
      <Select
        label={t('zone')}
        description={t('zoneHint')}
        searchable
        allowDeselect={false}
        data={[{ value: 'UTC', label: t('zoneOfBrowser', { zone: browser }) }, ...zones]}
        value={user.zone}
        onChange={(value) => value && edit.mutate({ zone: value })}
      />
      <Radio.Group
        label={t('late')}
        description={t('lateHint')}
        value={user.late}
        onChange={(value) => edit.mutate({ late: value === 'skip' ? 'skip' : 'post' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="post" label={t('latePost')} />
          <Radio value="skip" label={t('lateSkip')} />
        </Stack>
      </Radio.Group>
      <Failure error={edit.error} />
    </Section>
  );
}
