/** The selected accounts with their forms, captions and options. Pure. */
import type { FormText, NewPost, Platform, PostForm } from '@reelay/sdk';
import { type AccountOptions, type Draft, NO_OPTIONS } from '../../../drafts/draft.ts';
import { declarationOf, type FieldState, fieldStates, optionsOf } from './form-state.ts';

/** The id of the section with the questions, for links to it. */
export const QUESTIONS_ID = 'questions';

export interface ChosenAccount {
  account: Platform;
  /** undefined: not known yet. */
  form: PostForm | undefined;
  options: AccountOptions;
  fields: FieldState[];
}

/** In the order of the draft, without accounts that no longer exist. */
export function chosenAccounts(
  { accounts: ids, options }: Pick<Draft, 'accounts' | 'options'>,
  accounts: readonly Platform[],
  forms: ReadonlyMap<string, PostForm>,
): ChosenAccount[] {
  return ids.flatMap((id) => {
    const account = accounts.find((each) => each.id === id);
    if (!account) return [];
    const form = forms.get(id);
    const own = options[id] ?? NO_OPTIONS;
    return [{ account, form, options: own, fields: form ? fieldStates(form, own.values) : [] }];
  });
}

/** The options of the post, by account. Equal choices give equal options. */
export function sentOptions(chosen: readonly ChosenAccount[]): NonNullable<NewPost['options']> {
  const sent = chosen.map(({ account, form, options: { caption, values } }): [string, Record<string, unknown>] => [
    account.id,
    { ...(caption === null ? {} : { caption }), ...(form ? optionsOf(form, values) : {}) },
  ]);
  return Object.fromEntries(sent.filter(([, options]) => Object.keys(options).length > 0));
}

/** The fields that the platform requires for every post. */
export const questionsOf = ({ fields }: ChosenAccount) => fields.filter(({ field }) => field.ask && !field.unavailable);

export const unansweredIn = ({ fields }: ChosenAccount) =>
  fields.filter(({ problem }) => problem?.kind === 'missing').length;

/** A value has a problem, apart from open questions. */
export const problemIn = ({ fields }: ChosenAccount) =>
  fields.find(({ problem }) => problem !== null && problem.kind !== 'missing') ?? null;

export type OptionsProblem =
  /** Not all forms are known. */
  | { kind: 'loading' }
  | { kind: 'unanswered'; count: number }
  | { kind: 'invalid'; account: Platform; state: FieldState };

/** Why the post cannot be sent; null if it can. */
export function optionsProblem(chosen: readonly ChosenAccount[]): OptionsProblem | null {
  for (const each of chosen) {
    const state = problemIn(each);
    if (state) return { kind: 'invalid', account: each.account, state };
  }
  const count = chosen.reduce((sum, each) => sum + unansweredIn(each), 0);
  if (count > 0) return { kind: 'unanswered', count };
  return chosen.some(({ form }) => !form) ? { kind: 'loading' } : null;
}

export interface PlatformTexts {
  platform: string;
  texts: FormText[];
}

/** The declarations that the user makes by posting, and the platforms' notes: by platform, without duplicates. */
export function declarationsOf(chosen: readonly ChosenAccount[]): PlatformTexts[] {
  const byPlatform = new Map<string, Map<string, FormText>>();
  for (const { account, form, options } of chosen) {
    const declared = form && declarationOf(form, options.values);
    for (const text of [declared, form?.notice])
      if (text) {
        const texts = byPlatform.get(account.platform) ?? new Map<string, FormText>();
        byPlatform.set(account.platform, texts.set(text.en, text));
      }
  }
  return [...byPlatform].map(([platform, texts]) => ({ platform, texts: [...texts.values()] }));
}
