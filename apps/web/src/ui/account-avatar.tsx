import { Avatar, Box } from '@mantine/core';
import { figureColor, platformColor } from './platform-color.ts';
import { PlatformIcon } from './platform-icon.tsx';

/** The address of a picture where this page was opened. That of the service may be another one, which is blocked. */
const addressHere = (image: string) => `/api/v1/media/${image.slice(image.lastIndexOf('/') + 1)}`;

/** The account's picture with its platform's icon. Decorative: the names are next to it. */
export function AccountAvatar({ platform, image, name }: { platform: string; image: string; name: string }) {
  return (
    <Box pos="relative" w={44} h={44}>
      <Avatar
        src={image ? addressHere(image) : null}
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
        bg={platformColor(platform)}
        c={figureColor(platform)}
        p={3}
        style={{ borderRadius: '50%', boxShadow: '0 0 0 2px var(--mantine-color-body)' }}
        lh={0}
      >
        <PlatformIcon platform={platform} size={14} />
      </Box>
    </Box>
  );
}
