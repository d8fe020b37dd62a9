/** Chromium, as the browser tests use it. */
import { type Browser, chromium } from '@playwright/test';

/** The program, which `CHROMIUM_PATH` may name. */
export const chromiumPath = () => process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath() });
}
