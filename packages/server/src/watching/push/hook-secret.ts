import { createHmac } from 'node:crypto';

/** All notifications arrive below this path. */
export const HOOKS_PATH = '/hooks';

/** Returns the secret that signs a subscription's notifications, derived from the service's key. */
export function hookSecret(hookKey: Buffer, subscriptionId: string): string {
  return createHmac('sha256', hookKey).update(subscriptionId).digest('hex');
}

export function hookUrl(publicUrl: string, platform: string, subscriptionId: string): string {
  return `${publicUrl}${HOOKS_PATH}/${platform}/${subscriptionId}`;
}
