import type { Container } from './types.ts';

interface Format {
  mime: string;
  /** Name of ffmpeg's demuxer, the only one allowed to open the file. */
  demuxer: string;
  /** Whether the file consists of ISO base media boxes. */
  boxes: boolean;
}

/** Properties of each container. Media types are those registered with IANA, otherwise the common ones. */
export const FORMATS: Readonly<Record<Container, Format>> = {
  mp4: { mime: 'video/mp4', demuxer: 'mov', boxes: true },
  mov: { mime: 'video/quicktime', demuxer: 'mov', boxes: true },
  '3gp': { mime: 'video/3gpp', demuxer: 'mov', boxes: true },
  matroska: { mime: 'video/x-matroska', demuxer: 'matroska', boxes: false },
  webm: { mime: 'video/webm', demuxer: 'matroska', boxes: false },
  mpegts: { mime: 'video/mp2t', demuxer: 'mpegts', boxes: false },
  avi: { mime: 'video/x-msvideo', demuxer: 'avi', boxes: false },
  flv: { mime: 'video/x-flv', demuxer: 'flv', boxes: false },
};
