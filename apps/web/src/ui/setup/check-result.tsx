import { Alert, Text } from '@mantine/core';
import type { ApplicationCheck } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '../icons/index.ts';

const LOOKS = {
  verified: { color: 'green', Icon: IconCircleCheck },
  unverified: { color: 'yellow', Icon: IconHelpCircle },
  rejected: { color: 'red', Icon: IconCircleX },
} as const;

interface CheckResultProps {
  check: ApplicationCheck;
  /** Whether it was stored after the test; null if it was already stored. */
  isStored: boolean | null;
}

/** The result of a test, with the platform's message. */
export function CheckResult({ check: { verdict, message }, isStored }: CheckResultProps) {
  const t = useTranslations('setup.result');
  const { color, Icon } = LOOKS[verdict];
  const storage = isStored === null ? 'set' : isStored ? 'stored' : 'notStored';
  return (
    <Alert color={color} icon={<Icon aria-hidden />} title={t(`${storage}.${verdict}`)} role="status">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      {verdict !== 'verified' && (
        <Text size="sm" mt={4}>
          {t(`hint.${verdict}`)}
        </Text>
      )}
    </Alert>
  );
}
