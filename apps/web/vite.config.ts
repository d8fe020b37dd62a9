import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The dashboard is served below this path. */
const BASE = '/app/';

export default defineConfig({
  base: BASE,
  plugins: [react()],
  build: { target: 'es2022', sourcemap: false, reportCompressedSize: false, assetsInlineLimit: 0 },
});
