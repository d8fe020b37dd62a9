/** Describes the problem of a form value in the language of the page. */
import { useTranslations } from 'use-intl';
import { partsOf } from '../../../ui/form-text.ts';
import { useFormText } from '../../../ui/rich-text.tsx';
import type { FieldProblem } from './form-state.ts';

export function useProblemText(): (problem: FieldProblem) => string {
  const t = useTranslations('postOptions');
  const textOf = useFormText();
  return (problem) => {
    if (problem.kind === 'refused')
      return partsOf(textOf(problem.reason))
        .map(({ text }) => text)
        .join('');
    if (problem.kind === 'tooLong' || problem.kind === 'tooMany')
      return t(`problem.${problem.kind}`, { count: problem.limit });
    return t(`problem.${problem.kind}`);
  };
}
