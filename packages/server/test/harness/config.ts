import { type Config, makeConfig } from '../../src/config/config.ts';

/**
 * A test configuration: any free port, no rate limits.
 * @param config overrides
 */
export function testConfig(folder: string, config: Partial<Config> = {}): Config {
  const env = { PORT: 0, DATA_DIR: folder, apps: {}, settings: {}, remote: {}, terminal: false };
  return { ...makeConfig(env), rateLimit: 'off', ...config };
}
