import { Center } from '@mantine/core';
import { figureColor, platformColor } from './platform-color.ts';
import { PlatformIcon } from './platform-icon.tsx';

interface PlatformDiscProps {
  platform: string;
  /** Diameter and size of the icon, in px. */
  size: number;
  iconSize: number;
}

/** A platform's icon on a disc of its color. Decorative: the name is next to it. */
export function PlatformDisc({ platform, size, iconSize }: PlatformDiscProps) {
  return (
    <Center
      w={size}
      h={size}
      flex="none"
      bg={platformColor(platform)}
      c={figureColor(platform)}
      style={{ borderRadius: '50%' }}
    >
      <PlatformIcon platform={platform} size={iconSize} />
    </Center>
  );
}
