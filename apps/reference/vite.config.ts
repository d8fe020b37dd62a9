import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { BUILD_OPTIONS } from '../web/build-options.ts';
import { compiledMessages } from '../web/compiled-messages.ts';
import { mantineStyles } from '../web/mantine-styles.ts';

/** The API reference. Its icon is a file of the dashboard. */
export default defineConfig({
  base: '/docs/',
  publicDir: false,
  plugins: [
    react(),
    compiledMessages(),
    mantineStyles(['../reference/src/**/*.tsx', 'src/app/{preferences,theme}.tsx']),
  ],
  build: BUILD_OPTIONS,
});
