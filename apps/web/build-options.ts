/** Vite's build options for the dashboard and the API reference. */
import type { BuildOptions } from 'vite';

export const BUILD_OPTIONS = {
  target: 'es2022',
  // For older browsers, light-dark() would be replaced by variables that the component library does not set.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  sourcemap: false,
  reportCompressedSize: false,
  assetsInlineLimit: 0,
  rolldownOptions: {
    // So a page loads the icons that it uses, and not all that the index names.
    treeshake: { moduleSideEffects: [{ test: /\/ui\/icons\//, sideEffects: false }] },
    checks: {
      // @mantine/schedule handles both module formats of rrule, and only one of them is there.
      importIsUndefined: false,
      // How long plugins took is of no use to somebody who starts the service.
      pluginTimings: false,
    },
  },
} satisfies BuildOptions;
