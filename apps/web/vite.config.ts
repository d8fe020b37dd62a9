import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledMessages } from './compiled-messages.ts';
import { mantineStyles } from './mantine-styles.ts';

/** The dashboard is served below this path. */
const BASE = '/app/';

export default defineConfig({
  base: BASE,
  plugins: [react(), compiledMessages(), mantineStyles()],
  build: {
    target: 'es2022',
    // For older browsers, light-dark() would be replaced by variables that the component library does not set.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    // @mantine/schedule handles both module formats of rrule, and only one of them is there.
    rolldownOptions: { checks: { importIsUndefined: false } },
  },
});
