import { Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useCheckApplication } from '../../queries/setup.ts';
import { Failure } from '../failure.tsx';
import { IconPlugConnected } from '../icons/index.ts';
import { CheckResult } from './check-result.tsx';

export function StoredTest({ platform, name }: { platform: string; name: string }) {
  const t = useTranslations('setup');
  const check = useCheckApplication(platform, name);
  return (
    <Stack>
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {t('test')}
        </Button>
      </Group>
      <Failure error={check.error} />
      {check.data && <CheckResult check={check.data} isStored={null} />}
    </Stack>
  );
}
