/** The kinds of channels, and what is stored encrypted about each. */

export const CHANNEL_KINDS = ['push', 'ntfy', 'discord', 'slack', 'telegram'] as const;
/** For the documentation of the API. */
export const KINDS_DESCRIPTION =
  '`push`: a browser or an installed app (Web Push). `ntfy`: a topic. `discord` and `slack`: an incoming webhook. `telegram`: a chat with a bot. New kinds may be added.';

export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** A subscription of a browser (Push API). The keys are base64url, as the browser writes them. */
export interface PushTarget {
  kind: 'push';
  url: string;
  /** Public key of the browser: an uncompressed point of P-256. */
  p256dh: string;
  /** Shared secret of 16 bytes. */
  auth: string;
}

/** Where a channel sends to. Stored encrypted: each of these values lets others send messages. */
export type ChannelTarget =
  | PushTarget
  | { kind: 'ntfy'; url: string; token: string | null }
  | { kind: 'discord' | 'slack'; url: string }
  | { kind: 'telegram'; token: string; chatId: string };

/** Hosts of well-known services. All other hosts count as servers that a user names, and share their slots. */
const WELL_KNOWN = [
  ...['ntfy.sh', 'discord.com', 'discordapp.com', 'hooks.slack.com', 'api.telegram.org'],
  ...['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'],
];

/** Pure. The column `service` of a channel: the host that the user named, or "" for a well-known one. */
export function serviceOf(host: string): string {
  return WELL_KNOWN.includes(host) || host.endsWith('.notify.windows.com') ? '' : host;
}
