/**
 * What the operator says for one platform alone. A variable `PLATFORM_SOME_THING` is that platform's setting `someThing`;
 * one that ends in `_URL` takes the place of the base address of that name, where the platform's connector has one.
 */

/** By platform, then by the setting's name: `{ bluesky: { plcUrl: 'https://…' } }`. */
export type PlatformSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Settings from variables, of which those that are not given are left out. Pure. */
export function settingsFrom(variables: Readonly<Record<string, string | undefined>>): PlatformSettings {
  const settings: Record<string, Record<string, string>> = {};
  for (const [variable, value] of Object.entries(variables)) {
    if (value === undefined) continue;
    const [platform = '', ...words] = variable.toLowerCase().split('_');
    const name = words
      .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
      .join('');
    settings[platform] = { ...settings[platform], [name]: value };
  }
  return settings;
}

/** The variable by which a setting is given. Pure. */
export function variableOf(platform: string, name: string): string {
  return `${platform}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/** Base addresses with the operator's in place: `plcUrl` for `plc`. Pure. */
export function endpointsWith(
  endpoints: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(endpoints).map(([name, own]) => [name, settings[`${name}Url`] ?? own]));
}
