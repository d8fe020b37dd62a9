/** The questions that platforms require for every post, per account. No answer is preselected. */
import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../../ui/account-avatar.tsx';
import { accountName } from '../../../ui/account-name.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { platformName } from '../../../ui/platform-icon.tsx';
import { type ChosenAccount, QUESTIONS_ID, questionsOf, unansweredIn } from './chosen-accounts.ts';
import { FormField } from './form-field.tsx';
import { copiedAnswers } from './form-state.ts';
import type { OptionsState } from './use-options.ts';

interface QuestionsProps {
  options: OptionsState;
  onOptions(id: string): void;
}

export function Questions({ options, onOptions }: QuestionsProps) {
  const t = useTranslations('postOptions');
  const asked = options.chosen.filter((each) => questionsOf(each).length > 0);
  if (options.error)
    return (
      <Stack align="flex-start" gap="xs">
        <Failure error={options.error} />
        <Button variant="default" onClick={options.retry}>
          {t('retry')}
        </Button>
      </Stack>
    );
  if (asked.length === 0) return null;
  return (
    <Stack component="section" gap="xs" id={QUESTIONS_ID} tabIndex={-1} aria-labelledby={`${QUESTIONS_ID}-title`}>
      <div>
        <Title order={2} size="h5" id={`${QUESTIONS_ID}-title`}>
          {t('questions')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('questionsHint')}
        </Text>
      </div>
      {asked.map((each) => (
        <AccountQuestions key={each.account.id} each={each} asked={asked} options={options} onOptions={onOptions} />
      ))}
    </Stack>
  );
}

interface AccountQuestionsProps extends QuestionsProps {
  each: ChosenAccount;
  asked: readonly ChosenAccount[];
}

function AccountQuestions({ each, asked, options, onOptions }: AccountQuestionsProps) {
  const t = useTranslations('postOptions');
  const { account } = each;
  const name = accountName(account);
  const open = unansweredIn(each);
  const others = asked.filter(
    (other) => other !== each && other.account.platform === account.platform && unansweredIn(other) > 0,
  );
  const copy = () => {
    for (const { account: other, form, options: own } of others)
      if (form) options.setValues(other.id, copiedAnswers(form, own.values, each.options.values));
  };
  return (
    <Paper withBorder p="sm" radius="md" role="group" aria-label={`${name} (${platformName(account.platform)})`}>
      <Group justify="space-between" wrap="nowrap" mb="xs" gap="xs">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <AccountAvatar platform={account.platform} image={account.usernameImage} name={name} />
          <Stack gap={0} miw={0}>
            <Text fw={600} truncate translate="no">
              {name}
            </Text>
            <Text size="sm" c="dimmed" truncate>
              {platformName(account.platform)}
            </Text>
          </Stack>
        </Group>
        <Anchor component="button" type="button" size="sm" flex="none" onClick={() => onOptions(account.id)}>
          {t('moreOptions')}
        </Anchor>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="sm">
        {questionsOf(each).map((state) => (
          <FormField
            key={state.field.name}
            state={state}
            stored={each.options.values[state.field.name]}
            onChange={(value) => options.setValue(account.id, state.field.name, value)}
          />
        ))}
      </SimpleGrid>
      {open === 0 && others.length > 0 && (
        <Button variant="light" size="compact-sm" mt="sm" onClick={copy}>
          {t('copyAnswers', { count: others.length, platform: platformName(account.platform) })}
        </Button>
      )}
    </Paper>
  );
}
