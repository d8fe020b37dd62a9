/** Completes the simulated page for each file of component tests. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

/** In ms. It only ends a test that hangs: a busy machine needs more than the default of one second. */
configure({ asyncUtilTimeout: 60_000 });

// Mantine asks for these. happy-dom has no layout and no fonts.
window.matchMedia ??= (query) => ({ matches: false, media: query }) as MediaQueryList;
Element.prototype.scrollIntoView = () => {};
if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(() => {
  cleanup();
  window.localStorage.clear();
});
