import type { Preview } from '@reelay/sdk';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { VideoDialog } from '../../src/pages/posts/video-dialog.tsx';
import { refusal } from './fake-client.ts';
import { render } from './render.tsx';

const VIDEO = '/api/v1/dashboard/posts/p/video';
const PREVIEW = '/api/v1/dashboard/posts/p/preview';

async function show(orderPreview: (id: string) => Promise<Preview>) {
  render(<VideoDialog post={{ id: 'p', filename: 'cover.jpg' }} onClose={() => {}} />, { posts: { orderPreview } });
  return screen.findByLabelText('Video', { selector: 'video' });
}

const stateOf = (state: Preview['state'], progress = 0) => vi.fn(async () => ({ state, progress }));
const sourceOf = async () => (await screen.findByLabelText('Video', { selector: 'video' })).getAttribute('src');
const missing = () => screen.findByText(/^The video cannot be shown/);

describe('the video of a post', () => {
  test('is played as it was uploaded', async () => {
    const order = stateOf('stored');
    await show(order);
    expect(await sourceOf()).toBe(VIDEO);
    expect(order).not.toHaveBeenCalled();
  });

  test('that cannot be played is replaced by its preview', async () => {
    fireEvent.error(await show(stateOf('stored', 1)));
    await screen.findByText((_, element) => element?.getAttribute('src') === PREVIEW);
    expect(await sourceOf()).toBe(PREVIEW);
  });

  test('of which only the sound plays is replaced, too', async () => {
    const order = stateOf('making', 0.4);
    const video = await show(order);
    Object.defineProperty(video, 'videoWidth', { value: 0 });
    fireEvent.loadedMetadata(video);
    expect(await screen.findByText(/Reelay is making a preview/)).toBeTruthy();
    expect((await screen.findByRole('progressbar')).getAttribute('aria-valuenow')).toBe('40');
    expect(order.mock.calls).toEqual([['p']]);
  });

  test('without a preview is missing', async () => {
    fireEvent.error(await show(stateOf('failed')));
    expect(await missing()).toBeTruthy();
  });

  test('that is no longer stored is missing', async () => {
    fireEvent.error(await show(() => Promise.reject(refusal('video_gone', 'It is gone.', 410))));
    expect(await missing()).toBeTruthy();
  });

  test('with a preview that cannot be played is missing', async () => {
    fireEvent.error(await show(stateOf('stored', 1)));
    await screen.findByText((_, element) => element?.getAttribute('src') === PREVIEW);
    fireEvent.error(await screen.findByLabelText('Video', { selector: 'video' }));
    expect(await missing()).toBeTruthy();
  });
});
