/** The profile, in both response formats that occur. */

import type { Route, SimulatorOptions } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { ok } from './answers.ts';
import { asCaller } from './caller.ts';
import { avatarUrl } from './pages.ts';
import { type Profile, settingsOf } from './records.ts';

export function profileRoutes(options: SimulatorOptions): Route[] {
  const listed = (profile: Profile) =>
    ok({ public_profiles: [{ sub_request_status: 'SUCCESS', public_profile: profileJson(options, profile) }] });
  return [
    asCaller(options, ['GET', '/v1/public_profiles/my_profile'], async (_request, { profile }) => {
      const { profileShape } = await settingsOf(options);
      return profileShape === 'list' ? listed(profile) : ok({ public_profile: profileJson(options, profile) });
    }),
    asCaller(options, ['GET', '/v1/organizations/:org/public_profiles'], async (_request, { profile }) =>
      listed(profile),
    ),
  ];
}

function profileJson(options: SimulatorOptions, profile: Profile): JsonObject {
  return {
    id: profile.id,
    organization_id: profile.organizationId,
    display_name: profile.displayName,
    description: '',
    category: '',
    logo_urls: { original_logo_url: avatarUrl(options, profile) },
    snap_user_name: profile.username,
    profile_type: 'PUBLIC_PROFILE',
    profile_tier: 'TIER_PUBLIC',
  };
}
