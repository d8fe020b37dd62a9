import { Paper, Text } from '@mantine/core';

interface GaugeProps {
  label: string;
  value: string;
  hint: string;
  isBad?: boolean;
}

export function Gauge({ label, value, hint, isBad = false }: GaugeProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text
        fz={{ base: 26, sm: 32 }}
        fw={700}
        lh={1.2}
        c={isBad ? 'light-dark(var(--mantine-color-red-8), var(--mantine-color-red-4))' : undefined}
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {value}
      </Text>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </Paper>
  );
}
