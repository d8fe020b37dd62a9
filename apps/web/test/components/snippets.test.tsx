/** Snippets: saved texts that are inserted into a caption. */
import type { Snippet } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CaptionField } from '../../src/pages/compose/snippets/caption-field.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

const TAGS: Snippet = { id: '1', name: 'Tags', text: '#one #two' };
const CREDITS: Snippet = { id: '2', name: 'Credits', text: 'Filmed by Ana' };

let stored: Snippet[];
beforeEach(() => {
  stored = [TAGS, CREDITS];
});

function Field({ given }: { given: string }) {
  const [value, setValue] = useState(given);
  return <CaptionField label="Caption" value={value} onChange={setValue} minRows={1} maxRows={3} />;
}

function show(given: string, calls: GivenCalls['snippets'] = {}) {
  return render(<Field given={given} />, { snippets: { list: async () => stored, ...calls } });
}

const caption = () => screen.getByLabelText<HTMLTextAreaElement>('Caption');

async function openList({ user }: ReturnType<typeof show>) {
  await user.click(screen.getByRole('button', { name: 'Snippets' }));
  return screen.findByRole('dialog', { name: 'Snippets' });
}

const itemNames = (list: HTMLElement) =>
  within(list)
    .queryAllByRole('listitem')
    .map((item) => item.textContent);

describe('a snippet', () => {
  test('goes to the end of an untouched caption', async () => {
    const shown = show('Hello');
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: /^Tags/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(caption().value).toBe('Hello #one #two');
  });

  test('goes to the cursor, where typing continues', async () => {
    const shown = show('Hello you');
    await shown.user.click(caption());
    caption().setSelectionRange(5, 5);
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: /^Credits/ }));
    await waitFor(() => expect(document.activeElement).toBe(caption()));
    await shown.user.keyboard('!');
    expect(caption().value).toBe('Hello Filmed by Ana! you');
  });

  test('replaces the selected text', async () => {
    const shown = show('Hello you');
    await shown.user.click(caption());
    caption().setSelectionRange(6, 9);
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: /^Credits/ }));
    expect(caption().value).toBe('Hello Filmed by Ana');
  });

  test('is saved from the caption', async () => {
    const save = vi.fn(async (snippet: { name: string; text: string }) => {
      stored = [...stored, { id: '3', ...snippet }];
      return stored[2] as never;
    });
    const shown = show('Hello #new', { save });
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: 'New snippet' }));
    expect(within(list).getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello #new');
    expect(within(list).getByRole<HTMLButtonElement>('button', { name: 'Save snippet' }).disabled).toBe(true);
    await shown.user.type(within(list).getByLabelText('Name'), ' Greeting ');
    await shown.user.click(within(list).getByRole('button', { name: 'Save snippet' }));
    await waitFor(() => expect(itemNames(list)).toHaveLength(3));
    expect(save.mock.calls).toEqual([[{ name: 'Greeting', text: 'Hello #new' }]]);
    expect(caption().value).toBe('Hello #new');
  });

  test('is saved from the selected text', async () => {
    const shown = show('Hello #new');
    await shown.user.click(caption());
    caption().setSelectionRange(6, 10);
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: 'New snippet' }));
    expect(within(list).getByLabelText<HTMLTextAreaElement>('Text').value).toBe('#new');
  });

  test('is edited', async () => {
    const edit = vi.fn(async (id: string, snippet: { name: string; text: string }) => {
      stored = stored.map((each) => (each.id === id ? { id, ...snippet } : each));
      return { id, ...snippet };
    });
    const shown = show('', { edit });
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: 'Edit snippet: Tags' }));
    const name = within(list).getByLabelText('Name');
    await shown.user.clear(name);
    await shown.user.type(name, 'Credits');
    expect(within(list).getByText('The snippet “Credits” will be replaced.')).toBeTruthy();
    await shown.user.clear(name);
    await shown.user.type(name, 'Hashtags');
    await shown.user.click(within(list).getByRole('button', { name: 'Save snippet' }));
    await waitFor(() => expect(itemNames(list)).toEqual(['Hashtags#one #two', 'CreditsFilmed by Ana']));
    expect(edit.mock.calls).toEqual([['1', { name: 'Hashtags', text: '#one #two' }]]);
  });

  test('is deleted after a question', async () => {
    const remove = vi.fn(async (id: string) => {
      stored = stored.filter((each) => each.id !== id);
    });
    const shown = show('', { delete: remove });
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: 'Delete snippet: Tags' }));
    const question = await screen.findByRole('dialog', { name: 'Delete this snippet?' });
    expect(remove).not.toHaveBeenCalled();
    await shown.user.click(within(question).getByRole('button', { name: 'Delete snippet' }));
    await waitFor(() => expect(itemNames(list)).toEqual(['CreditsFilmed by Ana']));
  });

  test('that is too long cannot be saved', async () => {
    const shown = show('t'.repeat(2_001));
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: 'New snippet' }));
    await shown.user.type(within(list).getByLabelText('Name'), 'Long');
    expect(within(list).getByText('This text has 2,001 characters. The maximum is 2,000.')).toBeTruthy();
    expect(within(list).getByRole<HTMLButtonElement>('button', { name: 'Save snippet' }).disabled).toBe(true);
  });

  test('that is refused stays in the form', async () => {
    const save = () => Promise.reject(refusal('too_many_snippets', 'There are 50.', 403));
    const shown = show('Hello', { save });
    const list = await openList(shown);
    await shown.user.click(await within(list).findByRole('button', { name: 'New snippet' }));
    await shown.user.type(within(list).getByLabelText('Name'), 'Greeting');
    await shown.user.click(within(list).getByRole('button', { name: 'Save snippet' }));
    expect((await within(list).findByRole('alert')).textContent).toBe('There are 50.');
    expect(within(list).getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Hello');
  });
});

describe('the list of snippets', () => {
  test('says what snippets are for while it is empty', async () => {
    stored = [];
    const list = await openList(show('Hello'));
    expect(await within(list).findByText(/^No snippets\./)).toBeTruthy();
  });

  test('that cannot be read shows the reason', async () => {
    const list = await openList(show('', { list: () => Promise.reject(refusal('internal', 'Broken', 500)) }));
    expect((await within(list).findByRole('alert')).textContent).toBe('Broken');
    expect(within(list).getByRole<HTMLButtonElement>('button', { name: 'New snippet' }).disabled).toBe(true);
  });
});
