/**
 * Operator settings of single platforms. A variable `PLATFORM_SOME_THING` is the platform's setting `someThing`. A
 * variable that ends in `_URL` replaces the connector's base URL of that name, if it has one.
 */

/** By platform, then by setting name: `{ bluesky: { plcUrl: 'https://…' } }`. */
export type PlatformSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Converts variables to settings; omits unset ones. Pure. */
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

/** Returns what reads the operator's settings for a platform. Simulated ones have none. Pure. */
export function settingsReader(settings: PlatformSettings) {
  return (platform: string, sandbox: boolean) => (sandbox ? {} : (settings[platform] ?? {}));
}

/** The variable name of a setting. Pure. */
export function variableOf(platform: string, name: string): string {
  return `${platform}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/** Base URLs with the operator's overrides: `plcUrl` for `plc`. Pure. */
export function endpointsWith(
  endpoints: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(endpoints).map(([name, own]) => [name, settings[`${name}Url`] ?? own]));
}
