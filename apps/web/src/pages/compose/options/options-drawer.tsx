/** Caption and options of one account. */
import { Button, Drawer, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../../ui/account-avatar.tsx';
import { accountName } from '../../../ui/account-name.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { platformName } from '../../../ui/platform-icon.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { CaptionField } from '../snippets/caption-field.tsx';
import { Counter } from './caption-counts.tsx';
import type { ChosenAccount } from './chosen-accounts.ts';
import { FormField } from './form-field.tsx';
import { declarationOf } from './form-state.ts';
import type { CaptionCounts } from './use-caption-counts.ts';
import type { OptionsState } from './use-options.ts';

interface OptionsDrawerProps {
  each: ChosenAccount;
  description: string;
  counts: CaptionCounts;
  options: OptionsState;
  onClose(): void;
}

export function OptionsDrawer(props: OptionsDrawerProps) {
  const { each, options, onClose } = props;
  const t = useTranslations('postOptions');
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const { account } = each;
  const name = accountName(account);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? '100%' : 'lg'}
      title={t('optionsFor', { name, platform: platformName(account.platform) })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="lg">
        <Group gap="sm" wrap="nowrap">
          <AccountAvatar platform={account.platform} image={account.usernameImage} name={name} />
          <Stack gap={0} miw={0}>
            <Text fw={600} truncate translate="no">
              {name}
            </Text>
            <Text size="sm" c="dimmed" truncate translate="no">
              {platformName(account.platform)} · {account.username}
            </Text>
          </Stack>
        </Group>
        <Caption {...props} />
        <Fields {...props} />
        <Group justify="space-between">
          <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={() => options.reset(account.id)}>
            {t('reset')}
          </Button>
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Drawer>
  );
}

function Caption({ each, description, counts, options }: OptionsDrawerProps) {
  const t = useTranslations('postOptions');
  const { id } = each.account;
  const { caption } = each.options;
  return (
    <Stack gap="xs">
      <Switch
        label={t('ownCaption')}
        description={t('ownCaptionHint')}
        checked={caption !== null}
        onChange={({ currentTarget }) => options.setCaption(id, currentTarget.checked ? description : null)}
      />
      {caption !== null && (
        <CaptionField
          label={t('caption')}
          minRows={3}
          maxRows={12}
          value={caption}
          onChange={(changed) => options.setCaption(id, changed)}
        />
      )}
      <Counter count={counts.byAccount.get(id)} />
    </Stack>
  );
}

function Fields({ each: { account, form, fields, options: own }, options }: OptionsDrawerProps) {
  const t = useTranslations('postOptions');
  if (!form && options.error) return <Failure error={options.error} />;
  if (!form)
    return (
      <Stack aria-label={t('loading')} aria-busy>
        <Skeleton h={56} />
        <Skeleton h={56} />
      </Stack>
    );
  const declaration = declarationOf(form, own.values);
  return (
    <>
      {fields.map((state) => (
        <FormField
          key={state.field.name}
          state={state}
          stored={own.values[state.field.name]}
          onChange={(value) => options.setValue(account.id, state.field.name, value)}
        />
      ))}
      {[declaration, form.notice].map(
        (text) =>
          text && (
            <Text key={text.en} size="sm" c="dimmed">
              <RichText text={text} />
            </Text>
          ),
      )}
    </>
  );
}
