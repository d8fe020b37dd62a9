/**
 * Checks a packed package with publint and "Are the types wrong?" (profile `esm-only`).
 *   node scripts/check-package.mjs TARBALL
 * Prints each problem; exits 1 if there is one.
 */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/** Old ways to resolve a package, which find no ES module or no types for it. */
const WITHOUT_ES_MODULES = ['node10', 'node16-cjs'];

const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''));
const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
const types = await checkPackage(createPackageFromTarballData(bytes));
const problems = [...messages, ...(types.types === false ? ['The package has no types.'] : types.problems)].filter(
  ({ resolutionKind }) => !WITHOUT_ES_MODULES.includes(resolutionKind),
);
for (const problem of problems) console.log(JSON.stringify(problem));
if (problems.length > 0) process.exitCode = 1;
