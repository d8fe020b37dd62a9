/** The results of the installation's checks, with advice. */
import { Alert, Button, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import type { DoctorFinding } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { useDoctor } from '../../queries/operator.ts';
import { Failure } from '../../ui/failure.tsx';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconStethoscope } from '../../ui/icons/index.ts';
import { byUrgency } from './findings.ts';
import classes from './operator.module.css';

const LOOKS = {
  fail: { color: 'red', Icon: IconAlertTriangle },
  note: { color: 'blue', Icon: IconInfoCircle },
  ok: { color: 'green', Icon: IconCheck },
} as const;

export function DoctorPage() {
  const t = useTranslations('operator.doctor');
  const doctor = useDoctor();
  const problems = doctor.data?.filter(({ verdict }) => verdict === 'fail').length ?? 0;
  return (
    <Stack align="flex-start" maw={900}>
      <Text>{t('lead')}</Text>
      <Text size="sm" c="dimmed">
        {t('hint')}
      </Text>
      <Button
        leftSection={<IconStethoscope size={18} aria-hidden />}
        loading={doctor.isPending}
        variant={doctor.data ? 'default' : 'filled'}
        onClick={() => doctor.mutate()}
      >
        {doctor.data ? t('again') : t('run')}
      </Button>
      <Failure error={doctor.error} />
      {doctor.data && (
        <>
          <Alert color={problems > 0 ? 'red' : 'green'} role="status" w="100%">
            {problems > 0 ? t('problems', { count: problems }) : t('fine')}
          </Alert>
          <Stack component="ul" gap="xs" p={0} m={0} w="100%" aria-label={t('results')} className={classes.list}>
            {byUrgency(doctor.data).map((finding) => (
              <Finding key={`${finding.name} ${finding.text}`} finding={finding} />
            ))}
          </Stack>
        </>
      )}
    </Stack>
  );
}

function Finding({ finding: { name, verdict, text } }: { finding: DoctorFinding }) {
  const t = useTranslations('operator.doctor');
  const { color, Icon } = LOOKS[verdict];
  return (
    <Paper component="li" withBorder p="sm" style={{ display: 'flex', gap: '0.75rem' }}>
      <ThemeIcon variant="light" color={color} radius="xl" role="img" aria-label={t(`verdict.${verdict}`)}>
        <Icon size={18} aria-hidden />
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text fw={600} tt="capitalize">
          {name}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      </div>
    </Paper>
  );
}
