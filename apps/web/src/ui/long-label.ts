/** Styles that let a button's label wrap on a narrow screen. */
export const LONG_LABEL = {
  root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 6 },
  label: { whiteSpace: 'normal' },
} as const;
