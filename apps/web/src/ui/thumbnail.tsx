import { Image } from '@mantine/core';

/** The picture of a post's video, 9:16. Decorative: the description stands next to it. @param props.width in px */
export function Thumbnail({ filename, width }: { filename: string; width: number }) {
  return (
    <Image
      src={`/api/v1/media/${filename}`}
      alt=""
      w={width}
      h={(width * 16) / 9}
      radius="sm"
      fit="cover"
      loading="lazy"
      decoding="async"
      bg="var(--mantine-color-default-hover)"
      flex="none"
    />
  );
}
