/** Completes the simulated page for each file of component tests. */
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Mantine asks for these, and happy-dom has no layout.
window.matchMedia ??= (query) => ({ matches: false, media: query }) as MediaQueryList;
Element.prototype.scrollIntoView = () => {};

afterEach(() => {
  cleanup();
  window.localStorage.clear();
});
