/** The state of a rule's options form, which all tabs of the panel share. */
import { useDebouncedValue } from '@mantine/hooks';
import type { FieldProblem, Rule, RuleOptions, RulePreview } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../../queries/client.ts';
import { previewQuery, useEditRule } from '../../../queries/rules.ts';
import { useZone } from '../../../time/use-zone.ts';
import {
  changesOf,
  formOf,
  hasChanges,
  type OptionsForm,
  problemAt,
  refusedField,
  type ShownOptions,
} from './options-form.ts';

const PREVIEW_DELAY_MS = 400;

export interface OptionsFormState {
  values: OptionsForm;
  set(changed: Partial<OptionsForm>): void;
  changes: RuleOptions;
  isDirty: boolean;
  save(): void;
  reset(): void;
  isSaving: boolean;
  isSaved: boolean;
  /** The error of saving, if it names no field. */
  error: Error | null;
  /** The problem of a field, such as `quietHours.from`. */
  problem(path: string): string | null;
  sample: string;
  setSample(text: string): void;
  preview: { result: RulePreview | null; isPending: boolean; error: Error | null };
}

export function useOptionsForm(rule: Rule): OptionsFormState {
  const zone = useZone();
  // Compared with the initial options, because changes by another tab are no change of this form.
  const [typed, setTyped] = useState<{ values: OptionsForm; before: ShownOptions } | null>(null);
  const [sample, setSample] = useState('');
  const edit = useEditRule(rule.id);
  const { values, before } = typed ?? { values: formOf(rule.options, zone.name), before: rule.options };
  const changes = changesOf(before, values);
  const isDirty = hasChanges(changes);

  const [tried] = useDebouncedValue(JSON.stringify({ changes, sample }), PREVIEW_DELAY_MS);
  const wanted = JSON.parse(tried) as { changes: RuleOptions; sample: string };
  const preview = useQuery(previewQuery(useClient(), rule.id, wanted.changes, wanted.sample));
  const refusedBySave = refusedField(edit.error);
  const refused: FieldProblem | null = refusedBySave ?? refusedField(preview.error);
  return {
    values,
    set(changed) {
      edit.reset();
      setTyped({ values: { ...values, ...changed }, before });
    },
    changes,
    isDirty,
    // The rules are read again before the form shows the stored options.
    save: () => edit.mutate(changes, { onSuccess: () => setTyped(null) }),
    reset() {
      edit.reset();
      setTyped(null);
    },
    isSaving: edit.isPending,
    isSaved: edit.isSuccess && !isDirty,
    error: refusedBySave ? null : edit.error,
    problem: (path) => problemAt(refused, path),
    sample,
    setSample,
    preview: {
      result: preview.data ?? null,
      isPending: preview.isPending,
      error: refusedField(preview.error) ? null : preview.error,
    },
  };
}
