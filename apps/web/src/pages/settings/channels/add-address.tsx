import { Anchor, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { AddNotificationChannel } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAddChannel } from '../../../queries/channels.ts';
import { Failure } from '../../../ui/failure.tsx';

const KINDS = ['ntfy', 'discord', 'slack', 'telegram'] as const;
type Kind = (typeof KINDS)[number];

/** How to get what a kind needs. */
const HELP: Readonly<Record<Kind, string>> = {
  ntfy: 'https://docs.ntfy.sh/subscribe/phone/',
  discord: 'https://support.discord.com/hc/en-us/articles/228383668',
  slack: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  telegram: 'https://core.telegram.org/bots/features#creating-a-new-bot',
};
const EXAMPLES: Readonly<Record<Exclude<Kind, 'telegram'>, string>> = {
  ntfy: 'https://ntfy.sh/your-topic',
  discord: 'https://discord.com/api/webhooks/…',
  slack: 'https://hooks.slack.com/services/…',
};
/** A bot that answers with the id of the chat. */
const CHAT_ID_HELP = 'https://t.me/userinfobot';
/** In UTF-16 units, as the service accepts them. */
const MAX = { name: 60, url: 2_000, token: 200, chatId: 65 };

/** Asks for the address of a chat. What was typed for one kind is not sent with another. */
export function AddAddress({ onClose }: { onClose(): void }) {
  const t = useTranslations('notifications.channels');
  const tStates = useTranslations('states');
  const [kind, setKind] = useState<Kind>('ntfy');
  const [typed, setTyped] = useState({ name: '', url: '', token: '', chatId: '' });
  const add = useAddChannel();
  const channelOf = (): AddNotificationChannel => {
    const { url, token, chatId } = typed;
    const name = typed.name.trim() || t(`kind.${kind}`);
    if (kind === 'telegram') return { kind, name, token, chatId };
    return { kind, name, url, ...(kind === 'ntfy' && token.trim() !== '' && { token }) };
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await add.mutateAsync(channelOf());
    onClose();
  };
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    maxLength: MAX[name],
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped((before) => ({ ...before, [name]: currentTarget.value })),
  });
  const choose = (chosen: string) => {
    setKind(KINDS.find((each) => each === chosen) ?? 'ntfy');
    setTyped(({ name }) => ({ name, url: '', token: '', chatId: '' }));
    add.reset();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('addAddress')}
      centered
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          <SegmentedControl
            fullWidth
            aria-label={t('kindLabel')}
            data={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
            value={kind}
            onChange={choose}
          />
          <Text size="sm" c="dimmed">
            {`${t(`help.${kind}`)} `}
            <Anchor href={HELP[kind]} target="_blank" inherit rel="noreferrer" underline="always">
              {t('helpLink')}
            </Anchor>
          </Text>
          {kind === 'telegram' ? (
            <>
              <TextInput label={t('botToken')} required placeholder="123456:ABC-DEF…" {...field('token')} />
              <TextInput
                label={t('chatId')}
                description={
                  <>
                    {`${t('chatIdHint')} `}
                    <Anchor href={CHAT_ID_HELP} target="_blank" rel="noreferrer" inherit underline="always">
                      @userinfobot
                    </Anchor>
                  </>
                }
                required
                placeholder="123456789"
                {...field('chatId')}
              />
            </>
          ) : (
            <TextInput
              label={t(kind === 'ntfy' ? 'topicUrl' : 'webhookUrl')}
              required
              type="url"
              placeholder={EXAMPLES[kind]}
              {...field('url')}
            />
          )}
          {kind === 'ntfy' && (
            <TextInput label={t('accessToken')} description={t('accessTokenHint')} {...field('token')} />
          )}
          <TextInput label={t('name')} placeholder={t(`kind.${kind}`)} {...field('name')} />
          <Failure error={add.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
