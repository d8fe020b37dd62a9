import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/drafts/draft.ts';
import type { VideoFacts, VideoProblem } from '../../src/pages/compose/video/video-check.ts';
import { VideoChecks } from '../../src/pages/compose/video/video-checks.tsx';
import { VideoDrop } from '../../src/pages/compose/video/video-drop.tsx';
import { render } from './render.tsx';

function check(problems: readonly VideoProblem[], facts: Partial<VideoFacts> = {}, fit: Draft['fit'] = null) {
  const onFit = vi.fn();
  const all = { width: 540, height: 960, seconds: 10, ...facts };
  return { ...render(<VideoChecks facts={all} problems={problems} fit={fit} onFit={onFit} />), onFit };
}

describe('a checked video', () => {
  test('shows a wrong length', () => {
    check(['tooShort'], { seconds: 1.5 });
    expect(screen.getByRole('alert').textContent).toMatch(/^The video is 1.5 seconds long\. It must be at least 3/);
  });

  test('just beyond the maximum shows by how much', () => {
    check(['tooLong'], { seconds: 90.0612 });
    expect(screen.getByRole('status').textContent).toMatch(/^The video is 90.06 seconds long\. The maximum is 90/);
  });

  test('needs a choice, without a default, unless it is vertical', () => {
    check(['notVertical'], { width: 320, height: 180 });
    expect(screen.getByRole('status').textContent).toMatch(/^The video is 320 × 180, not vertical/);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([false, false, false]);
  });

  for (const [label, fit] of [
    ['Add bars', 'pad'],
    ['Blurred bars', 'blur'],
    ['Crop', 'crop'],
  ] as const)
    test(`gets the chosen fit: ${label}`, async () => {
      const { user, onFit } = check(['notVertical'], { width: 320, height: 180 });
      await user.click(screen.getByRole('radio', { name: label }));
      expect(onFit.mock.calls).toEqual([[fit]]);
    });

  test('shows the fit that was chosen before', () => {
    check(['notVertical'], { width: 320, height: 180 }, 'crop');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Crop' }).checked).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Add bars' }).checked).toBe(false);
  });

  test('shows all of its problems', () => {
    check(['muchTooLong', 'notVertical'], { seconds: 601, width: 320, height: 180 });
    expect(screen.getByRole('alert').textContent).toContain('601 seconds');
    expect(screen.getByRole('status').textContent).toContain('not vertical');
  });

  test('shows nothing without problems', () => {
    check([]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('status')).toBeNull();
  });
});

const clip = (name = 'clip.mp4') => new File(['video'], name, { type: 'video/mp4' });
const notes = () => new File(['no video'], 'notes.txt', { type: 'text/plain' });

function showDrop() {
  const onChoose = vi.fn();
  const rendered = render(<VideoDrop title="Drop a video" onChoose={onChoose} />);
  const input = rendered.container.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('There is no field for a file.');
  // As in a dialog in which the user shows all files.
  const choose = (...files: File[]) => fireEvent.change(input, { target: { files } });
  return { ...rendered, onChoose, choose };
}

const drop = (target: Element, ...files: File[]) =>
  fireEvent.drop(target, { dataTransfer: { types: ['Files'], files } });
const paste = (target: Element, ...files: File[]) => fireEvent.paste(target, { clipboardData: { files } });

describe('a file', () => {
  test('that is a video is chosen', async () => {
    const { choose, onChoose } = showDrop();
    const file = clip();
    choose(file);
    await waitFor(() => expect(onChoose.mock.calls).toEqual([[file]]));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  for (const [title, file, text] of [
    ['of another kind', notes(), '“notes.txt” cannot be posted' + 'The file is not a video.'],
    ['without content', new File([], 'empty.mp4'), '“empty.mp4” cannot be posted' + 'The file is empty.'],
  ] as const)
    test(`${title} is refused and explained`, async () => {
      const { choose, onChoose } = showDrop();
      choose(file);
      expect((await screen.findByRole('alert')).textContent).toContain(text);
      expect(onChoose).not.toHaveBeenCalled();
    });

  test('with an unknown media type is judged by its name', async () => {
    const { choose, onChoose } = showDrop();
    choose(new File(['video'], 'CLIP.MKV'));
    await waitFor(() => expect(onChoose).toHaveBeenCalledOnce());
  });

  test('is not chosen together with another one', async () => {
    const { choose, onChoose } = showDrop();
    choose(clip('one.mp4'), clip('two.mp4'));
    expect((await screen.findByRole('alert')).textContent).toContain('Drop one video only.');
    expect(onChoose).not.toHaveBeenCalled();
  });

  test('that is chosen removes the earlier refusal', async () => {
    const { choose, onChoose } = showDrop();
    choose(notes());
    await screen.findByRole('alert');
    choose(clip());
    await waitFor(() => expect(onChoose).toHaveBeenCalledOnce());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('that is a video is chosen when dropped', () => {
    const { onChoose } = showDrop();
    const file = clip();
    const isNotPrevented = drop(screen.getByRole('button', { name: /^Drop a video/ }), file);
    expect(onChoose.mock.calls).toEqual([[file]]);
    expect(isNotPrevented).toBe(false);
  });

  test('dropped beside the area does not replace the page', () => {
    const { onChoose } = showDrop();
    expect(drop(document.body, clip())).toBe(false);
    expect(onChoose).not.toHaveBeenCalled();
  });

  test('is recorded with the camera of a phone', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...{ matches: query === '(pointer: coarse)', media: query },
      ...{ addEventListener: () => {}, removeEventListener: () => {} },
    }));
    const { container } = render(<VideoDrop onChoose={vi.fn()} />);
    const input = container.querySelector<HTMLInputElement>('input[type=file]');
    const captures: (string | null)[] = [];
    input?.addEventListener('click', () => captures.push(input.getAttribute('capture')));
    fireEvent.click(screen.getByRole('button', { name: 'Record a video' }));
    fireEvent.click(screen.getByRole('button', { name: /^Choose a video/ }));
    expect(captures).toEqual(['environment', null]);
    vi.unstubAllGlobals();
  });

  test('that is a video is chosen when pasted', async () => {
    const { onChoose } = showDrop();
    const isNotPrevented = paste(document.body, clip());
    expect(onChoose).toHaveBeenCalledOnce();
    expect(isNotPrevented).toBe(false);
  });

  test('that is no video can be pasted elsewhere', () => {
    const { onChoose } = showDrop();
    const isNotPrevented = paste(document.body, notes());
    expect(onChoose).not.toHaveBeenCalled();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(isNotPrevented).toBe(true);
  });
});
