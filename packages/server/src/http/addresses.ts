import type { Config } from '../config/config.ts';

/** Where a picture of ours is fetched, with the owner's authentication; "" where there is none. */
export function mediaAddress(config: Pick<Config, 'publicUrl'>, filename: string | null): string {
  return filename ? `${config.publicUrl}/api/v1/media/${filename}` : '';
}
