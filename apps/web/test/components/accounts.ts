/** Accounts as the service lists them. */
import type { Platform } from '@reelay/sdk';

/** A connected account whose id and name are the same. */
export function listedAccount(id: string, given: Partial<Platform> = {}): Platform {
  return {
    _id: id,
    id,
    platform: 'mastodon',
    username: id,
    displayName: `Name of ${id}`,
    usernameImage: '',
    status: 'CONNECTED',
    sandbox: false,
    warnings: [],
    ...given,
  };
}
