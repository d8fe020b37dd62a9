/** The declarations that the user makes by posting, shown next to the button. */
import { Box, Group, Stack, Text } from '@mantine/core';
import { PlatformIcon, platformName } from '../../../ui/platform-icon.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { type ChosenAccount, declarationsOf } from './chosen-accounts.ts';

export function Declarations({ chosen }: { chosen: readonly ChosenAccount[] }) {
  return (
    <Stack gap="xs">
      {declarationsOf(chosen).map(({ platform, texts }) => (
        <Group key={platform} gap="xs" wrap="nowrap" align="flex-start">
          <Box flex="none" lh={0} pt={2}>
            <PlatformIcon platform={platform} size={18} />
          </Box>
          <Stack gap={2} miw={0}>
            <Text size="sm" fw={600}>
              {platformName(platform)}
            </Text>
            {texts.map((text) => (
              <Text key={text.en} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <RichText text={text} />
              </Text>
            ))}
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}
