/** The Snapchat app of a profile's owner. Snaps cannot be edited. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { enrolProfile, type Medium, type Spotlight } from './records.ts';
import { announce, spotlightUrl } from './spotlights.ts';

export function phone(options: SimulatorOptions): Phone {
  const { store, now } = options;
  return {
    async post(username, { text, video, publishedAt = now(), hiddenMs, audience }) {
      const profile = await enrolProfile(options, username);
      const { blob, bytes, sha256 } = video;
      const id = `W7_${newSecret(48)}`;
      const medium: Medium = {
        id: `phone-${id}`,
        profileId: profile.id,
        key: '',
        iv: '',
        createdAt: now(),
        parts: {},
        finalizedAt: now(),
        plain: { blob, bytes, sha256 },
        postedAt: now(),
      };
      await store.put('medium', medium.id, medium, profile.id);
      const spotlight: Spotlight = {
        id,
        profileId: profile.id,
        mediaId: medium.id,
        caption: text,
        locale: 'en_US',
        savedToProfile: true,
        ...(audience === 'limited' ? { forFriends: true } : {}),
        createdAt: publishedAt,
        ...(hiddenMs === undefined ? {} : { listedFrom: now() + hiddenMs }),
        rejected: false,
        announced: false,
      };
      await store.put('spotlight', id, spotlight, profile.id);
      await announce(options, spotlight, profile);
      return { id, url: spotlightUrl(options, id) };
    },
    async remove(_username, id) {
      await store.unpublish(id);
      await store.remove('spotlight', id);
    },
  };
}
