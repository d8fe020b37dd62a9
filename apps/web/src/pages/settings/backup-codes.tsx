import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Shows new backup codes once. @param title reason for the new codes */
export function BackupCodes({ title, codes, onDone }: { title: string; codes: string[]; onDone(): void }) {
  const t = useTranslations('settings');
  return (
    <Alert color="green" title={title} role="status">
      <Stack align="flex-start">
        <Text size="sm">{t('backupCodes')}</Text>
        <SimpleGrid cols={2} spacing="xs" data-testid="backup-codes">
          {codes.map((each) => (
            <Code key={each}>{each}</Code>
          ))}
        </SimpleGrid>
        <Group>
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? t('copied') : t('copy')}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" onClick={onDone}>
            {t('saved')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
