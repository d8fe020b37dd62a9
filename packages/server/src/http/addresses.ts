import type { Config } from '../config/config.ts';

/** Where the interface begins, below the public address. */
export const BASE_PATH = '/api/v1';

/** Where a picture of ours is fetched, with the owner's authentication; "" where there is none. */
export function mediaAddress(config: Pick<Config, 'publicUrl'>, filename: string | null): string {
  return filename ? `${config.publicUrl}${BASE_PATH}/media/${filename}` : '';
}
