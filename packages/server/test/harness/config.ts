import { type Config, makeConfig } from '../../src/config/config.ts';

/** What the environment of a test would give: any free port, no limits. @param config what else is to be different */
export function testConfig(folder: string, config: Partial<Config> = {}): Config {
  const env = { PORT: 0, DATA_DIR: folder, apps: {}, settings: {}, remote: {}, terminal: false };
  return { ...makeConfig(env), rateLimit: 'off', ...config };
}
