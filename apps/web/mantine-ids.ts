/**
 * A Vite plugin that makes Mantine use the ids of React. Its own hook sets a random id after the first render, for old
 * versions of React, so that every field is rendered twice when it appears.
 */
import type { Plugin } from 'vite';

const HOOK = /@mantine\/hooks\/esm\/use-id\/use-id\.mjs$/;
const REPLACEMENT = `
import { useId as useReactId } from 'react';
export function useId(given) {
  const id = useReactId();
  return typeof given === 'string' ? given : id;
}
`;

/** Builds fail if the hook has moved. */
export function mantineIds(): Plugin {
  let isFound = false;
  return {
    name: 'mantine-ids',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!HOOK.test(id)) return null;
      isFound = true;
      return REPLACEMENT;
    },
    generateBundle() {
      if (!isFound) this.error('The build has no useId of Mantine.');
    },
  };
}
