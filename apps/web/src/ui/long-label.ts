/** Styles of a button whose label wraps on a narrow screen. */
export const LONG_LABEL = {
  root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 6 },
  label: { whiteSpace: 'normal' },
} as const;
