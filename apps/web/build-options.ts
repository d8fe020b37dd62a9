/** Vite's build options for the dashboard and the API reference. */
import type { BuildOptions } from 'vite';

export const BUILD_OPTIONS = {
  target: 'es2022',
  // For older browsers, light-dark() would be replaced by variables that the component library does not set.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  sourcemap: false,
  reportCompressedSize: false,
  // In kB, not compressed. A browser test limits what a page loads.
  chunkSizeWarningLimit: 700,
  assetsInlineLimit: 0,
  rolldownOptions: {
    // So a page loads the icons that it uses, and not all that the index names.
    treeshake: { moduleSideEffects: [{ test: /\/ui\/icons\//, sideEffects: false }] },
    output: {
      codeSplitting: {
        groups: [
          // One file for what every page needs: with one for each set of pages that need it, there are 20 files and 8 kB more.
          { name: 'first', tags: ['$initial'] },
          // And one for the fields of most pages. Each file takes a phone some ms.
          { name: 'fields', test: /@mantine\/core\/esm\/components\/(Checkbox|Input|InputBase|Radio|TextInput)\// },
        ],
      },
    },
    checks: {
      // @mantine/schedule handles both module formats of rrule, and only one of them is there.
      importIsUndefined: false,
      // How long plugins took is of no use to somebody who starts the service.
      pluginTimings: false,
    },
  },
} satisfies BuildOptions;
