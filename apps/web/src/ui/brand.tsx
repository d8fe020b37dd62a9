import { Group, Text } from '@mantine/core';

/** The product's logo and name. */
export function Brand() {
  return (
    <Group wrap="nowrap" gap="xs">
      <img src="/app/icon.svg" width="28" height="28" alt="" />
      <Text fw={700} size="lg">
        Reelay
      </Text>
    </Group>
  );
}
