/** Texts of forms in the language of the page. */
import { Anchor } from '@mantine/core';
import type { FormText } from '@reelay/sdk';
import { useLocale } from 'use-intl';
import { languageFor } from '../messages/languages.ts';
import { partsOf } from './form-text.ts';

/** Selects the text in the language of the page. */
export function useFormText(): (text: FormText) => string {
  const language = languageFor([useLocale()]);
  return (text) => text[language];
}

/** Selects the label of a choice in the language of the page. Some choices have only an English label. */
export function useChoiceLabel(): (choice: { label: string; title: FormText | null }) => string {
  const textOf = useFormText();
  return ({ label, title }) => (title ? textOf(title) : label);
}

export function RichText({ text }: { text: FormText }) {
  const textOf = useFormText();
  return partsOf(textOf(text)).map((part) =>
    'href' in part ? (
      <Anchor key={part.text} href={part.href} target="_blank" rel="noreferrer" inherit underline="always">
        {part.text}
      </Anchor>
    ) : (
      part.text
    ),
  );
}
