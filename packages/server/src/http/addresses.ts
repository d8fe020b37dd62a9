import type { Config } from '../config/config.ts';

/** Base path of the API, relative to the public URL. */
export const BASE_PATH = '/api/v1';

/** URL of one of our pictures, which requires the owner's authentication; "" if there is no picture. */
export function mediaAddress(config: Pick<Config, 'publicUrl'>, filename: string | null): string {
  return filename ? `${config.publicUrl}${BASE_PATH}/media/${filename}` : '';
}
