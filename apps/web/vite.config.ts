import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { BUILD_OPTIONS } from './build-options.ts';
import { compiledMessages } from './compiled-messages.ts';
import { firstPaint } from './first-paint.ts';
import { mantineIds } from './mantine-ids.ts';
import { mantineStyles } from './mantine-styles.ts';

/** The dashboard is served below this path. */
const BASE = '/app/';

export default defineConfig({
  base: BASE,
  plugins: [react(), compiledMessages(), mantineIds(), mantineStyles(), firstPaint()],
  build: BUILD_OPTIONS,
});
