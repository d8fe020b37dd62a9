import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledMessages } from './compiled-messages.ts';
import { mantineStyles } from './mantine-styles.ts';

/** The API reference. Its icon is a file of the dashboard. */
export default defineConfig({
  base: '/docs/',
  publicDir: false,
  plugins: [react(), compiledMessages(), mantineStyles(['src/reference/**/*.tsx', 'src/app/{preferences,theme}.tsx'])],
  build: {
    target: 'es2022',
    // As in the dashboard.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: 'docs.html' },
  },
});
