/** Posts from a simulated phone, as an account's owner does with the platform's app. */
import { Autocomplete, Button, Checkbox, FileInput, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { loadSample, usePostFromPhone } from '../../queries/sandbox.ts';
import { Failure } from '../../ui/failure.tsx';
import { GrowingTextarea } from '../../ui/growing-textarea.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

const SOURCES = ['sunrise', 'ocean', 'own'] as const;
type Source = (typeof SOURCES)[number];

interface PhoneDialogProps {
  platforms: readonly string[];
  /** Suggestions: the connected simulated accounts. */
  accounts: readonly Platform[];
  onClose(): void;
}

export function PhoneDialog({ platforms, accounts, onClose }: PhoneDialogProps) {
  const t = useTranslations('sandbox');
  const tStates = useTranslations('states');
  const post = usePostFromPhone();
  const namesOn = (platform: string) =>
    accounts.filter((each) => each.platform === platform).map((each) => each.username);
  const [platform, setPlatform] = useState(accounts[0]?.platform ?? platforms[0] ?? '');
  const [username, setUsername] = useState(namesOn(platform)[0] ?? '');
  const [caption, setCaption] = useState('');
  const [isLimited, setIsLimited] = useState(false);
  const [source, setSource] = useState<Source>('sunrise');
  const [file, setFile] = useState<File | null>(null);
  const [sampleError, setSampleError] = useState<Error | null>(null);
  const select = (next: string | null) => {
    if (!next) return;
    setPlatform(next);
    setUsername(namesOn(next)[0] ?? '');
  };
  const send = async () => {
    setSampleError(null);
    const video = await videoOf(source, file).catch((error: Error) => setSampleError(error));
    if (!video) return;
    await post.mutateAsync({ platform, username, caption, audience: isLimited ? 'limited' : 'public', video });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send().catch(() => {});
  };
  return (
    <Modal opened onClose={onClose} title={t('phone')} centered closeButtonProps={{ 'aria-label': tStates('close') }}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('phoneHint')}
          </Text>
          <Select
            label={t('platform')}
            data={platforms.map((value) => ({ value, label: platformName(value) }))}
            value={platform}
            allowDeselect={false}
            searchable
            onChange={select}
          />
          <Autocomplete
            label={t('account')}
            description={t('accountHint')}
            data={[...new Set(namesOn(platform))]}
            required
            maxLength={64}
            value={username}
            onChange={setUsername}
          />
          <GrowingTextarea
            label={t('caption')}
            minRows={2}
            maxRows={6}
            dir="auto"
            translate="no"
            value={caption}
            onChange={({ currentTarget: { value } }) => setCaption(value)}
          />
          <Radio.Group
            label={t('video')}
            value={source}
            onChange={(value) => setSource(SOURCES.find((each) => each === value) ?? 'own')}
          >
            <Stack gap="xs" mt={6}>
              {SOURCES.map((each) => (
                <Radio key={each} value={each} label={t(`sample.${each}`)} />
              ))}
            </Stack>
          </Radio.Group>
          {source === 'own' && (
            <FileInput
              label={t('file')}
              description={t('fileHint')}
              placeholder={t('fileChoose')}
              accept="video/mp4,video/quicktime"
              required
              value={file}
              onChange={setFile}
            />
          )}
          <Checkbox
            label={t('limited')}
            checked={isLimited}
            onChange={({ currentTarget: { checked } }) => setIsLimited(checked)}
          />
          <Failure error={sampleError ?? post.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={post.isPending} disabled={source === 'own' && !file}>
              {t('post')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

async function videoOf(source: Source, file: File | null): Promise<Blob | null> {
  return source === 'own' ? file : loadSample(source);
}
