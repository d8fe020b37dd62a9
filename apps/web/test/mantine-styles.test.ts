import { describe, expect, test } from 'vitest';
import { keepRules } from '../mantine-styles.ts';

const kept = (css: string) =>
  keepRules(css, new Set(['m_1', 'm_2']))
    .replace(/\s+/g, ' ')
    .trim();

describe('rules of unused components', () => {
  test('are removed, and the order of the others stays', () => {
    expect(kept('.m_2 { a: b } .m_9 { a: b } .m_1 { a: b }')).toBe('.m_2 { a: b } .m_1 { a: b }');
  });

  test('are removed with the blocks that become empty', () => {
    expect(kept('@layer mantine { @media print { .m_9 { a: b } } .m_1 { a: b } }')).toBe(
      '@layer mantine { .m_1 { a: b } }',
    );
  });

  test('leave the used selectors of a list', () => {
    expect(kept('.m_9, .m_1:hover { a: b }')).toBe('.m_1:hover { a: b }');
  });

  test.each([
    ':root { --x: 1px }',
    '@keyframes m_9 { from { a: b } }',
    ':where(.m_9) .m_1 { a: b }',
    'p:not(.m_9) { a: b }',
  ])('do not take %s with them', (css) => {
    expect(kept(css)).toBe(css);
  });
});
