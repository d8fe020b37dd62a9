/**
 * Generates the registries of connectors and simulators from the existing folders.
 *   node scripts/generate-registry.mjs [--check]
 * With --check nothing is written; exits 1 if a registry is out of date.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const connectors = fileURLToPath(new URL('../packages/server/src/connectors/', import.meta.url));

const REGISTRIES = [
  {
    file: 'registry.ts',
    exported: 'connectors',
    from: 'index.ts',
    name: 'connector',
    type: 'Connector',
    module: './contract.ts',
    says: 'Every connector by its name.',
  },
  {
    file: 'loaders.ts',
    exported: 'loadConnector',
    from: 'index.ts',
    name: 'connector',
    type: 'Connector',
    module: './contract.ts',
    late: true,
    says: 'Loads one connector, by its name: for commands, which need no other.',
  },
  {
    file: 'simulators.ts',
    exported: 'loadSimulator',
    from: 'simulator.ts',
    name: 'simulator',
    type: 'SimulatorModule',
    module: './kit/simulator.ts',
    late: true,
    says: 'Loads one simulator, by its platform. Only where the sandbox is on.',
  },
];

/** Returns the source of one registry. */
function sourceOf({ exported, from, name, type, module, late, says }) {
  const ids = readdirSync(connectors, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'kit' && existsSync(join(connectors, entry.name, from)))
    .map((entry) => entry.name)
    .sort();
  const own = ids.map((id) => ({
    path: `./${id}/${from}`,
    line: `import { ${name} as ${id} } from './${id}/${from}';`,
  }));
  const imports = [...(late ? [] : own), { path: module, line: `import type { ${type} } from '${module}';` }].sort(
    (a, b) => (a.path < b.path ? -1 : 1),
  );
  const entry = (id) => (late ? `${id}: async () => (await import('./${id}/${from}')).${name}` : id);
  return `// Made by scripts/generate-registry.mjs from the folders beside this file. Run it again instead of editing.
${imports.map((each) => each.line).join('\n')}

/** ${says} */
export const ${exported}: Readonly<Record<string, ${late ? `() => Promise<${type}>` : type}>> = Object.freeze({
${ids.map((id) => `  ${entry(id)},\n`).join('')}});
`;
}

let outOfStep = 0;
for (const registry of REGISTRIES) {
  const path = join(connectors, registry.file);
  const source = sourceOf(registry);
  if (existsSync(path) && readFileSync(path, 'utf8') === source) continue;
  outOfStep++;
  if (process.argv.includes('--check')) console.error(`${registry.file} is out of step: run npm run generate.`);
  else writeFileSync(path, source);
}
if (outOfStep > 0 && process.argv.includes('--check')) process.exitCode = 1;
