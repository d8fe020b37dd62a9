/** Composing a post: video, description, accounts, time, one button. */
import { Button, Grid, Group, Radio, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useFormatter, useTimeZone, useTranslations } from 'use-intl';
import { accountsQuery } from '../../service/accounts.ts';
import { useCreatePost } from '../../service/posts.ts';
import { useClient } from '../../service/service-client.ts';
import { Failure } from '../../ui/failure.tsx';
import { AccountPicker } from './account-picker.tsx';
import { localTime, problemOf, scheduledAt } from './draft.ts';
import { useDraft } from './use-draft.ts';
import { useUpload } from './use-upload.ts';
import { useVerdicts, Verdicts } from './verdicts.tsx';
import { VideoField } from './video-field.tsx';

const HOUR_MS = 3_600_000;
/** Pause in typing after which the service is asked, in ms. */
const TYPING_MS = 600;

export function ComposePage() {
  const t = useTranslations('compose');
  const format = useFormatter();
  const zone = useTimeZone() ?? 'UTC';
  const navigate = useNavigate();
  const { data: accounts } = useSuspenseQuery(accountsQuery(useClient()));
  const { draft, change, clear } = useDraft();
  const { at: startedAt } = useSearch({ from: '/signed-in/' });
  useEffect(() => {
    if (startedAt === undefined) return;
    change({ at: localTime(startedAt) });
    void navigate({ to: '/', replace: true });
  }, [startedAt, change, navigate]);
  const [file, setFile] = useState<File | null>(null);
  const onUploaded = useCallback((upload: NonNullable<typeof draft.upload>) => change({ upload }), [change]);
  const upload = useUpload(onUploaded);
  const create = useCreatePost();
  const known = new Set(accounts.filter(({ status }) => status === 'CONNECTED').map(({ id }) => id));
  const chosen = draft.accounts.filter((id) => known.has(id));
  const current = { ...draft, accounts: chosen };
  const [settled] = useDebouncedValue(current, TYPING_MS);
  const verdicts = useVerdicts(settled);
  const problem = problemOf(current, Date.now());
  const at = scheduledAt(draft);

  const choose = (video: File) => {
    setFile(video);
    change({ upload: null, previewTime: 0 });
    void upload.send(video);
  };
  const remove = () => {
    upload.cancel();
    setFile(null);
    change({ upload: null, previewTime: 0 });
  };
  const submit = async () => {
    const post = await create.mutateAsync({
      uploadId: draft.upload?.id ?? '',
      platforms: chosen,
      description: draft.description,
      previewTime: draft.previewTime,
      idempotencyKey: draft.key,
      ...(at === null ? {} : { scheduled: at }),
    });
    clear();
    await navigate({ to: '/posts/$id', params: { id: post.historyId } });
  };
  return (
    <Stack>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 5, lg: 4 }}>
          <VideoField
            file={file}
            upload={draft.upload}
            sending={upload.state}
            error={upload.error}
            previewTime={draft.previewTime}
            onChoose={choose}
            onRemove={remove}
            onPreviewTime={(previewTime) => change({ previewTime })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 7, lg: 8 }}>
          <Stack>
            <Textarea
              label={t('description')}
              autosize
              minRows={4}
              maxRows={14}
              dir="auto"
              value={draft.description}
              onChange={({ currentTarget }) => change({ description: currentTarget.value })}
            />
            <AccountPicker accounts={accounts} chosen={chosen} onChange={(ids) => change({ accounts: ids })} />
            <Radio.Group
              label={t('when')}
              value={draft.at === '' ? 'now' : 'later'}
              onChange={(value) => change({ at: value === 'now' ? '' : localTime(Date.now() + HOUR_MS) })}
            >
              <Group mt="xs">
                <Radio value="now" label={t('now')} />
                <Radio value="later" label={t('later')} />
              </Group>
            </Radio.Group>
            {draft.at !== '' && (
              <TextInput
                type="datetime-local"
                label={t('at')}
                description={t('zone', { zone })}
                value={draft.at}
                onChange={({ currentTarget }) => currentTarget.value && change({ at: currentTarget.value })}
                maw={280}
              />
            )}
            <Verdicts check={verdicts.data} error={verdicts.error} />
            <Failure error={create.error} />
            <Group>
              <Button
                size="md"
                onClick={() => void submit().catch(() => {})}
                disabled={problem !== null || upload.state !== null}
                loading={create.isPending}
              >
                {at === null
                  ? t('post', { count: chosen.length })
                  : t('schedule', { at: format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' }) })}
              </Button>
              {problem && (
                <Text size="sm" c="dimmed">
                  {upload.state ? t('problem.uploading') : t(`problem.${problem}`)}
                </Text>
              )}
            </Group>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
