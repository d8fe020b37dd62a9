/** The profile, in both response formats that occur. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { asCaller } from './caller.ts';
import { type Profile, settingsOf } from './records.ts';
import { ok } from './responses.ts';

export const showProfile = asCaller(async (options, _request, { profile }) => {
  const { profileShape } = await settingsOf(options);
  return profileShape === 'list' ? listed(options, profile) : ok({ public_profile: profileJson(options, profile) });
});

export const listProfiles = asCaller(async (options, _request, { profile }) => listed(options, profile));

function listed(options: SimulatorOptions, profile: Profile): SimulatorResponse {
  return ok({ public_profiles: [{ sub_request_status: 'SUCCESS', public_profile: profileJson(options, profile) }] });
}

function profileJson(options: SimulatorOptions, profile: Profile): JsonObject {
  return {
    id: profile.id,
    organization_id: profile.organizationId,
    display_name: profile.displayName,
    description: '',
    category: '',
    logo_urls: { original_logo_url: `${options.baseUrl}/avatar/${profile.id}.png` },
    snap_user_name: profile.username,
    profile_type: 'PUBLIC_PROFILE',
    profile_tier: 'TIER_PUBLIC',
  };
}
