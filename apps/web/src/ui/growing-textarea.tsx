/** A text field that is as high as its text. */
import { Textarea, type TextareaProps } from '@mantine/core';
import { type CSSProperties, useState } from 'react';

interface GrowingTextareaProps extends Omit<TextareaProps, 'autosize' | 'rows' | 'styles'> {
  /** In lines. */
  minRows: number;
  /** In lines. Without it, the whole text is visible. */
  maxRows?: number;
  inputStyle?: CSSProperties;
}

/**
 * The browser sizes the field, if it can. The component library measures the text in a hidden copy instead, which makes
 * the browser lay out the whole page twice when the field appears.
 */
export function GrowingTextarea({ minRows, maxRows, inputStyle, ...props }: GrowingTextareaProps) {
  const [isSized] = useState(() => CSS.supports('field-sizing', 'content'));
  if (!isSized)
    return <Textarea autosize minRows={minRows} maxRows={maxRows} styles={{ input: inputStyle ?? {} }} {...props} />;
  const sized: CSSProperties = {
    fieldSizing: 'content',
    minHeight: `max(${heightOf(minRows)}, var(--least-target))`,
    ...(maxRows === undefined ? {} : { maxHeight: heightOf(maxRows) }),
  };
  return <Textarea styles={{ input: { ...inputStyle, ...sized } }} {...props} />;
}

/** The border is 1 px wide. */
const heightOf = (rows: number): string => `calc(${rows}lh + 2 * var(--input-padding-y) + 2px)`;
