/** The state of the selection of older posts. It is kept while another tab of the panel is shown. */
import type { Rule } from '@reelay/sdk';
import { useState } from 'react';
import { useEditCatalog } from '../../../queries/rules.ts';
import { type CatalogSelection, catalogChange, isChanged, selectionOf } from './catalog-selection.ts';
import { problemAt, refusedField } from './options-form.ts';

export interface CatalogFormState {
  selection: CatalogSelection;
  change(selection: CatalogSelection): void;
  isDirty: boolean;
  save(): void;
  isSaving: boolean;
  isSaved: boolean;
  /** The problem of the number per day. */
  perDayProblem: string | null;
  /** Any other error of saving. */
  error: Error | null;
}

export function useCatalogForm(rule: Rule): CatalogFormState {
  const edit = useEditCatalog(rule.id);
  // Compared with the initial selection, because items that are reposted meanwhile are no change of this form.
  const [chosen, setChosen] = useState<{ selection: CatalogSelection; before: CatalogSelection } | null>(null);
  const stored = selectionOf(rule.options);
  const { selection, before } = chosen ?? { selection: stored, before: stored };
  const perDayProblem = problemAt(refusedField(edit.error), 'backCatalog.perDay');
  return {
    selection,
    change(selected) {
      edit.reset();
      setChosen({ selection: selected, before });
    },
    isDirty: isChanged(before, selection),
    // The rules are read again before the form shows the stored selection.
    save: () => edit.mutate(catalogChange(selection), { onSuccess: () => setChosen(null) }),
    isSaving: edit.isPending,
    isSaved: edit.isSuccess && chosen === null,
    perDayProblem,
    error: perDayProblem ? null : edit.error,
  };
}
