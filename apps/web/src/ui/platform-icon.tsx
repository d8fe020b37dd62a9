import {
  IconBrandBluesky,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandMastodon,
  IconBrandPinterest,
  IconBrandSnapchat,
  IconBrandTelegram,
  IconBrandThreads,
  IconBrandTiktok,
  IconBrandX,
  IconBrandYoutube,
  IconWorld,
} from './icons/index.ts';

const ICONS: Readonly<Record<string, typeof IconWorld>> = {
  bluesky: IconBrandBluesky,
  facebook: IconBrandFacebook,
  instagram: IconBrandInstagram,
  linkedin: IconBrandLinkedin,
  mastodon: IconBrandMastodon,
  pinterest: IconBrandPinterest,
  snapchat: IconBrandSnapchat,
  telegram: IconBrandTelegram,
  threads: IconBrandThreads,
  tiktok: IconBrandTiktok,
  x: IconBrandX,
  youtube: IconBrandYoutube,
};

const NAMES: Readonly<Record<string, string>> = {
  bluesky: 'Bluesky',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  pinterest: 'Pinterest',
  snapchat: 'Snapchat',
  telegram: 'Telegram',
  threads: 'Threads',
  tiktok: 'TikTok',
  x: 'X',
  youtube: 'YouTube',
};

/** The platform's name in its own spelling. */
export function platformName(platform: string): string {
  return NAMES[platform] ?? platform;
}

/** Decorative: the name is next to it. */
export function PlatformIcon({ platform, size = 20 }: { platform: string; size?: number }) {
  const Icon = ICONS[platform] ?? IconWorld;
  return <Icon size={size} aria-hidden />;
}
