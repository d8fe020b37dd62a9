/** The selection of older posts, which is kept while another tab of the panel is shown. */
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
  /** What is wrong with the number per day. */
  perDayProblem: string | null;
  /** Why it could not be saved otherwise. */
  error: Error | null;
}

export function useCatalogForm(rule: Rule): CatalogFormState {
  const edit = useEditCatalog(rule.id);
  // With the earlier selection: what is reposted meanwhile is not a change of this form.
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
