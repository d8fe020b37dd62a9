import { act } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, describe, expect, test } from 'vitest';
import { tolerateForeignChanges } from '../../src/ui/foreign-changes.ts';
import { render } from './render.tsx';

beforeAll(tolerateForeignChanges);

/** Shows each text of the page in a `font` element, as page translation does. */
function translate(root: Node, isMoved: boolean): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ parentElement }) => parentElement?.tagName !== 'FONT')) {
    const font = document.createElement('font');
    const inner = font.appendChild(document.createElement('font'));
    text.replaceWith(font);
    if (isMoved) inner.append(text);
    else inner.textContent = text.data;
  }
}

function Sample() {
  const [step, setStep] = useState(0);
  return (
    <main>
      <button type="button" aria-label="Next" onClick={() => setStep(step + 1)} />
      <p data-testid="shown">
        {step % 2 === 0 && 'even '}
        {step < 4 ? 'few ' : <b>many </b>}
        {step}
        <i> and </i>
        {step % 3 === 0 ? <u>third</u> : 'other'}
      </p>
    </main>
  );
}

describe.each([
  ['moved', true],
  ['replaced', false],
])('texts that translation %s', (_, isMoved) => {
  test('are updated and removed', async () => {
    const { getByTestId, getByLabelText, container } = render(<Sample />);
    const shown: (string | null)[] = [];
    for (let step = 0; step < 7; step++) {
      shown.push(getByTestId('shown').textContent);
      await act(async () => translate(container, isMoved));
      await act(async () => getByLabelText('Next').click());
    }
    expect(shown).toEqual([
      'even few 0 and third',
      'few 1 and other',
      'even few 2 and other',
      'few 3 and third',
      'even many 4 and other',
      'many 5 and other',
      'even many 6 and third',
    ]);
  });
});
