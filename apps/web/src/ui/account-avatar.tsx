import { Avatar, Box } from '@mantine/core';
import { mediaAddress } from './media-address.ts';
import { PlatformDisc } from './platform-disc.tsx';

/** The account's picture with its platform's icon. Decorative: the names are next to it. */
export function AccountAvatar({ platform, image, name }: { platform: string; image: string; name: string }) {
  return (
    <Box pos="relative" w={44} h={44}>
      <Avatar
        src={image ? mediaAddress(image.slice(image.lastIndexOf('/') + 1)) : null}
        name={name.replace(/^@/, '')}
        size={44}
        alt=""
        color="initials"
        styles={{ placeholder: { color: 'var(--mantine-color-text)' } }}
        aria-hidden
      />
      <Box
        pos="absolute"
        right={-4}
        bottom={-4}
        style={{ borderRadius: '50%', boxShadow: '0 0 0 2px var(--mantine-color-body)' }}
      >
        <PlatformDisc platform={platform} size={20} iconSize={14} />
      </Box>
    </Box>
  );
}
