/** A tile for each platform. Most open the platform's consent page; some ask for an app password or a bot token. */
import { Button, Modal, PasswordInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnect } from '../../service/accounts.ts';
import { Failure } from '../../ui/failure.tsx';
import { PlatformIcon, platformName } from '../../ui/platform-icon.tsx';

/** What is asked before the platform's own page, or instead of it. */
const ASKED: Readonly<Record<string, readonly ('service' | 'identifier' | 'secret')[]>> = {
  bluesky: ['identifier', 'secret'],
  mastodon: ['service'],
  telegram: ['identifier', 'secret'],
};

const PLATFORMS = [
  'tiktok',
  'youtube',
  'instagram',
  'facebook',
  'threads',
  'x',
  'linkedin',
  'pinterest',
  'snapchat',
  'bluesky',
  'mastodon',
  'telegram',
];

export function ConnectPlatforms() {
  const t = useTranslations('accounts');
  const connect = useConnect();
  const [asking, setAsking] = useState<string | null>(null);
  const begin = async (platform: string) => {
    if (ASKED[platform]) return setAsking(platform);
    const { url } = await connect.mutateAsync({ platform });
    if (url) window.location.assign(url);
  };
  return (
    <Stack>
      <Title order={2} size="h4">
        {t('connect')}
      </Title>
      <Failure error={asking ? null : connect.error} />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        {PLATFORMS.map((platform) => (
          <Button
            key={platform}
            variant="default"
            h={84}
            loading={connect.isPending && connect.variables.platform === platform}
            onClick={() => void begin(platform).catch(() => {})}
          >
            <Stack align="center" gap={4}>
              <PlatformIcon platform={platform} size={28} />
              <Text size="sm">{platformName(platform)}</Text>
            </Stack>
          </Button>
        ))}
      </SimpleGrid>
      {asking && <AskDialog platform={asking} onClose={() => setAsking(null)} />}
    </Stack>
  );
}

function AskDialog({ platform, onClose }: { platform: string; onClose(): void }) {
  const t = useTranslations('accounts');
  const connect = useConnect();
  const [given, setGiven] = useState<Record<string, string>>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { url } = await connect.mutateAsync({ platform, ...given });
    if (url) window.location.assign(url);
    else onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('connectTitle', { platform: platformName(platform) })} centered>
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          {(ASKED[platform] ?? []).map((field) => {
            const Field = field === 'secret' ? PasswordInput : TextInput;
            return (
              <Field
                key={field}
                label={t(`field.${field}`)}
                required
                autoComplete="off"
                value={given[field] ?? ''}
                onChange={({ currentTarget: { value } }) => setGiven((before) => ({ ...before, [field]: value }))}
              />
            );
          })}
          <Failure error={connect.error} />
          <Button type="submit" loading={connect.isPending}>
            {t('connectButton')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
