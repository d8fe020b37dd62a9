import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { type Draft, emptyDraft } from '../../src/drafts/draft.ts';
import { SubmitBar } from '../../src/pages/compose/submit-bar.tsx';
import { factsProblems } from '../../src/pages/compose/video/video-check.ts';
import { VideoEditor } from '../../src/pages/compose/video/video-editor.tsx';
import { render } from './render.tsx';

interface EditorProps {
  seconds: number;
  initial: Draft;
  isCropped: boolean;
  onDraft(draft: Draft): void;
  onMoved(at: number | null): void;
}

function Editor({ seconds, initial, isCropped, onDraft, onMoved }: EditorProps) {
  const [draft, setDraft] = useState(initial);
  const facts = { width: 1920, height: 1080, seconds };
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  useEffect(() => onDraft(draft), [draft, onDraft]);
  const isTooLong = factsProblems(facts, 'file').includes('tooLong');
  return <VideoEditor url="blob:video" {...{ facts, isCropped, isTooLong, draft, change, onMoved }} />;
}

function show(seconds: number, given: Partial<Draft> = {}, isCropped = false) {
  const [onMoved, onDraft] = [vi.fn(), vi.fn<(draft: Draft) => void>()];
  const initial = { ...emptyDraft('key'), ...given };
  const rendered = render(<Editor {...{ seconds, initial, isCropped, onDraft, onMoved }} />);
  return { ...rendered, onMoved, draft: () => onDraft.mock.lastCall?.[0] ?? initial };
}

const slider = (name: string) => screen.findByRole<HTMLInputElement>('slider', { name });
const move = async (name: string, to: number) =>
  fireEvent.change(await slider(name), { target: { value: String(to) } });

describe('a video', () => {
  test('that is too long begins with its first 90 seconds', async () => {
    const { draft } = show(120.4);
    await waitFor(() => expect(draft()).toMatchObject({ trimStart: null, trimEnd: 90 }));
    expect((await slider('End')).value).toBe('90');
    expect(screen.queryByRole('button', { name: 'Post the whole video' })).toBeNull();
  });

  test('keeps the part that was chosen before', async () => {
    const { draft } = show(120, { trimStart: 20, trimEnd: 40 });
    expect((await slider('Start')).value).toBe('20');
    expect(draft()).toMatchObject({ trimStart: 20, trimEnd: 40 });
  });

  test('is trimmed on request, and whole again', async () => {
    const { user, draft, onMoved } = show(20, { previewTime: 8 });
    await user.click(screen.getByRole('button', { name: 'Trim' }));
    await move('Start', 5);
    expect(onMoved).toHaveBeenLastCalledWith(5);
    await move('End', 12);
    expect(onMoved).toHaveBeenLastCalledWith(12);
    expect(draft()).toMatchObject({ trimStart: 5, trimEnd: 12, previewTime: 3 });
    expect((await slider('Cover')).max).toBe('6.9');
    await user.click(screen.getByRole('button', { name: 'Post the whole video' }));
    expect(draft()).toMatchObject({ trimStart: null, trimEnd: null, previewTime: 8 });
    expect(onMoved).toHaveBeenLastCalledWith(null);
  });

  test('of more than ten minutes has no part', () => {
    const { draft } = show(601);
    expect(screen.queryByRole('slider', { name: 'Start' })).toBeNull();
    expect(draft().trimEnd).toBeNull();
  });

  test('that is cropped has a frame', async () => {
    const { draft } = show(20, {}, true);
    await move('Frame', 0.2);
    expect(draft().cropPosition).toBe(0.2);
  });
});

describe('a post whose video is made', () => {
  const bar = { chosen: [], problem: null, label: 'Post', failure: null, onSubmit: () => {}, onOptions: () => {} };
  test('says how long it can take', () => {
    const { rerender } = render(<SubmitBar {...bar} isSending={false} isConverting />);
    expect(screen.queryByRole('status')).toBeNull();
    rerender(<SubmitBar {...bar} isSending isConverting />);
    expect(screen.getByRole('status').textContent).toContain('This can take a minute.');
    rerender(<SubmitBar {...bar} isSending isConverting={false} />);
    expect(screen.queryByRole('status')).toBeNull();
  });
});
