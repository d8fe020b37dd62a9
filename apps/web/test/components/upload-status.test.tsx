import { screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { UploadJob } from '../../src/drafts/upload-machine.ts';
import type { UploadManager } from '../../src/drafts/upload-manager.ts';
import { UploadStatus } from '../../src/pages/compose/video/upload-status.tsx';
import { refusal } from './fake-client.ts';
import { render } from './render.tsx';

const file = Object.defineProperty(new File(['video'], 'clip.mp4'), 'size', { value: 8_000_000 });

function show(job: Partial<UploadJob>) {
  const manager = { start: vi.fn(), pause: vi.fn() };
  const whole: UploadJob = { file, status: 'sending', sent: 0, samples: [], error: null, replaced: null, ...job };
  return {
    ...render(<UploadStatus job={whole} manager={manager as Partial<UploadManager> as UploadManager} />),
    manager,
  };
}

const buttons = () => screen.queryAllByRole('button').map((each) => each.textContent);

describe('a running upload', () => {
  test('shows its progress, speed and remaining time', () => {
    const samples = [
      { at: 1_000, sent: 1_000_000 },
      { at: 3_000, sent: 2_000_000 },
    ];
    show({ sent: 2_000_000, samples });
    expect(screen.getByText('25% · 2 MB of 8 MB · 500 kB/s · 12 sec left')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'Upload' }).getAttribute('aria-valuenow')).toBe('25');
  });

  test('shows no speed before it is known', () => {
    show({ sent: 2_000_000, samples: [{ at: 1_000, sent: 2_000_000 }] });
    expect(screen.getByText('25% · 2 MB of 8 MB')).toBeTruthy();
  });

  test('announces its state without the changing figures', () => {
    show({ sent: 2_000_000 });
    expect(screen.getByRole('status').textContent).toBe('Uploading. You can keep writing or open another page.');
  });

  test('can be paused, and nothing else', async () => {
    const { user, manager } = show({ sent: 2_000_000 });
    expect(buttons()).toEqual(['Pause']);
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(manager.pause).toHaveBeenCalledOnce();
    expect(manager.start).not.toHaveBeenCalled();
  });
});

describe('an interrupted upload', () => {
  test('says where it is paused and continues', async () => {
    const { user, manager } = show({ status: 'paused', sent: 2_999_999 });
    expect(screen.getByRole('status').textContent).toBe('Paused at 37%.');
    expect(buttons()).toEqual(['Continue']);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(manager.start).toHaveBeenCalledOnce();
  });

  test('says that the connection is lost and tries at once', async () => {
    const { user, manager } = show({ status: 'waiting', sent: 2_000_000 });
    expect(screen.getByRole('status').textContent).toContain('Connection lost.');
    expect(buttons()).toEqual(['Pause', 'Try now']);
    await user.click(screen.getByRole('button', { name: 'Try now' }));
    expect(manager.start).toHaveBeenCalledOnce();
  });

  test('can be paused while it waits for the connection', async () => {
    const { user, manager } = show({ status: 'waiting', sent: 2_000_000 });
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(manager.pause).toHaveBeenCalledOnce();
  });

  test('shows why it failed and can be repeated', async () => {
    const error = refusal('storage_full', 'The service has no space left.', 503);
    const { user, manager } = show({ status: 'failed', error });
    expect(screen.getByRole('alert').textContent).toContain('The service has no space left.');
    expect(screen.queryByRole('progressbar')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(manager.start).toHaveBeenCalledOnce();
  });

  test('asks for a changed file again', () => {
    show({ status: 'fileChanged' });
    expect(screen.getByRole('alert').textContent).toContain('“clip.mp4” was changed, moved or removed');
    expect(buttons()).toEqual([]);
  });
});

test('a finished upload has nothing left to do', () => {
  show({ status: 'done', sent: 8_000_000 });
  expect(screen.getByRole('status').textContent).toBe('Uploaded');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(buttons()).toEqual([]);
});
