/**
 * A Vite plugin that removes the rules of unused components from Mantine's stylesheet. Order and layer stay unchanged.
 * Mantine's stylesheets of single components are no alternative: their lengths are in px, and ignore the user's font size.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import postcss, { type ChildNode, type Container } from 'postcss';
import type { Plugin } from 'vite';

const SHEET = /@mantine\/core\/styles\.layer\.css$/;
const CORE = fileURLToPath(new URL('../../node_modules/@mantine/core/esm', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
/** Everything that may import components of the core: our sources, and Mantine's other packages. */
const IMPORTERS = ['src/**/*.{ts,tsx}', resolve(CORE, '../../{dates,schedule}/esm/**/*.mjs')];
/** A class of a component: unique, and written literally in the component's module. */
const CLASS = /\bm_[0-9a-f]+\b/g;

/**
 * Builds fail if a component that is in a page lost its styles.
 * @param importers patterns of the modules that import components, relative to this folder
 */
export function mantineStyles(importers: readonly string[] = IMPORTERS): Plugin {
  let kept = new Set<string>();
  let styled = new Set<string>();
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!SHEET.test(id)) return null;
      kept = usedClasses(importers);
      styled = new Set(code.match(CLASS));
      return { code: keepRules(code, kept), map: null };
    },
    generateBundle(_options, bundle) {
      const used = Object.values(bundle).flatMap((each) =>
        each.type === 'chunk' ? (each.code.match(CLASS) ?? []) : [],
      );
      const lost = used.filter((name) => styled.has(name) && !kept.has(name));
      if (lost.length > 0) this.error(`Styles of used components were removed: ${[...new Set(lost)].join(', ')}`);
    },
  };
}

/** The classes of all components that an importer names, and of those that they consist of. */
function usedClasses(importers: readonly string[]): Set<string> {
  const files = new Map(globSync(`${CORE}/**/*.mjs`).map((file) => [basename(file, '.mjs'), file]));
  const named = importers
    .flatMap((pattern) => globSync(resolve(HERE, pattern)))
    .flatMap((file) => namesOf(readFileSync(file, 'utf8')));
  const waiting: string[] = [...new Set(named)].map((name) => files.get(name)).filter((file) => file !== undefined);
  // The provider's own parts.
  waiting.push(...globSync(`${CORE}/core/**/*.module.mjs`));
  const reached = new Set<string>();
  const classes = new Set<string>();
  for (const file of waiting) {
    if (reached.has(file)) continue;
    reached.add(file);
    const code = readFileSync(file, 'utf8');
    for (const name of code.match(CLASS) ?? []) classes.add(name);
    for (const [, path] of code.matchAll(/from "(\.[^"]+)"/g)) waiting.push(resolve(dirname(file), path ?? ''));
  }
  return classes;
}

/** What a module imports from the core by name. */
function namesOf(code: string): string[] {
  const imports = [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]@mantine\/core['"]/g)];
  return imports.flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
}

/** Removes selectors that name no class which is kept. Rules without such classes stay. */
export function keepRules(css: string, kept: ReadonlySet<string>): string {
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    const selectors = rule.selectors.filter((selector) => {
      // An element without an unused class still matches.
      const names = selector.replace(/:not\([^)]*\)/g, '').match(CLASS);
      return !names || names.some((name) => kept.has(name));
    });
    if (selectors.length === 0) removeWithEmptyParents(rule);
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
  return root.toString();
}

function removeWithEmptyParents(node: ChildNode): void {
  const parent: Container | undefined = node.parent as Container | undefined;
  node.remove();
  if (parent?.type === 'atrule' && parent.nodes?.length === 0) removeWithEmptyParents(parent as ChildNode);
}
