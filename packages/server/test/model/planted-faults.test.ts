import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyEdit, FAULTS, OTHER_FAULTS } from '../../../../scripts/planted-faults/faults.ts';
import { BUGS } from './pure-tables.ts';

const ROOT = new URL('../../../../', import.meta.url);

test.each(Object.entries({ ...FAULTS, ...OTHER_FAULTS }))('the fault "%s" can be planted', async (name, edits) => {
  if (Object.hasOwn(FAULTS, name)) expect(BUGS).toContain(name);
  const sources = new Map<string, string>();
  for (const edit of edits) {
    const source = sources.get(edit.file) ?? (await readFile(new URL(edit.file, ROOT), 'utf8'));
    sources.set(edit.file, applyEdit(source, edit));
  }
  expect(sources.size).toBeGreaterThan(0);
});
