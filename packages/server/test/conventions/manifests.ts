/** The fields of each package.json. */
import type { SourceFile } from './tree.ts';

const MANIFEST = /^(?:packages\/(?<folder>[^/]+)\/)?package\.json$/;
const REQUIRED = ['name', 'version', 'private', 'description', 'license', 'type', 'engines'];
/** All fields, in order. */
const FIELDS = [
  ...REQUIRED,
  ...['workspaces', 'bin', 'exports', 'sideEffects', 'scripts', 'allowScripts'],
  ...['dependencies', 'devDependencies', 'optionalDependencies'],
];

/** Finds packages whose name differs from `@reelay/FOLDER`, and missing, unknown or misplaced fields. */
export function unlikeManifests(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const found = MANIFEST.exec(path);
    if (!found) return [];
    const manifest = JSON.parse(text) as Record<string, unknown>;
    const fields = Object.keys(manifest);
    const folder = found.groups?.folder;
    const name = folder ? `@reelay/${folder}` : 'reelay';
    const ordered = FIELDS.filter((field) => fields.includes(field));
    return [
      ...(manifest.name === name ? [] : [`${path}: the name is not ${name}`]),
      ...REQUIRED.filter((field) => !fields.includes(field)).map((field) => `${path} lacks ${field}`),
      ...fields.filter((field) => !FIELDS.includes(field)).map((field) => `${path} has an unknown field: ${field}`),
      ...(ordered.join() === fields.filter((field) => FIELDS.includes(field)).join()
        ? []
        : [`${path}: the order is not ${ordered.join(', ')}`]),
    ];
  });
}
