import { Center, Image } from '@mantine/core';
import { useState } from 'react';
import { IconVideo } from './icons/index.ts';
import { mediaAddress } from './media-address.ts';

/** The thumbnail of a post's video, 9:16. Decorative: the description is next to it. @param props.width in px */
export function Thumbnail({ filename, width }: { filename: string; width: number }) {
  const [missing, setMissing] = useState<string | null>(null);
  const size = { w: width, h: (width * 16) / 9, bg: 'var(--mantine-color-default-hover)', flex: 'none' };
  if (missing === filename)
    return (
      <Center {...size} c="dimmed" style={{ borderRadius: 'var(--mantine-radius-sm)' }}>
        <IconVideo size={20} aria-hidden />
      </Center>
    );
  return (
    <Image
      {...size}
      src={mediaAddress(filename)}
      alt=""
      radius="sm"
      fit="cover"
      loading="lazy"
      decoding="async"
      onError={() => setMissing(filename)}
    />
  );
}
