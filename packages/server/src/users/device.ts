/** Recognizes the browser and the system in a User-Agent header. */

/** Names as people know them; null if unknown. */
export interface Device {
  /** Such as `Chrome`. */
  browser: string | null;
  /** Such as `Windows` or `iOS`. */
  system: string | null;
  type: 'desktop' | 'mobile' | 'tablet' | 'other';
}

const UNKNOWN: Device = { browser: null, system: null, type: 'other' };
const TYPES = ['desktop', 'mobile', 'tablet'] as const;
/** Real ones have up to 300 characters. */
const MAX_LENGTH = 512;

/** Creates a parser. The library is loaded only here, because few requests need it. */
export async function createDeviceParser(): Promise<(userAgent: string | null) => Device> {
  const { default: bowser } = await import('bowser');
  return (userAgent) => {
    if (!userAgent) return UNKNOWN;
    const { browser, os, platform } = bowser.parse(userAgent.slice(0, MAX_LENGTH));
    // For an unknown program, the library returns the first word of the header as browser.
    if (!os.name) return UNKNOWN;
    return {
      browser: browser.name || null,
      system: os.name,
      type: TYPES.find((each) => each === platform.type) ?? 'other',
    };
  };
}
