/** The upload of a signed-in user, while the connection and the session come and go. */
import { fireEvent } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { WorkspaceProvider } from '../../src/drafts/use-upload.tsx';
import type { Workspace } from '../../src/drafts/workspace.ts';
import { render } from './render.tsx';

function show() {
  const calls: string[] = [];
  const manager = { resume: () => calls.push('resume'), wait: () => calls.push('wait') };
  const workspace = { drafts: {}, manager } as unknown as Workspace;
  const { unmount } = render(<WorkspaceProvider value={workspace}>{null}</WorkspaceProvider>);
  return { calls, unmount };
}

describe('the upload of a workspace', () => {
  test('resumes after signing in', () => {
    expect(show().calls).toEqual(['resume']);
  });

  test('waits while the browser is offline', () => {
    const { calls } = show();
    fireEvent.offline(window);
    expect(calls).toEqual(['resume', 'wait']);
    fireEvent.online(window);
    expect(calls).toEqual(['resume', 'wait', 'resume']);
  });

  test('waits while the user is signed out', () => {
    const { calls, unmount } = show();
    unmount();
    fireEvent.online(window);
    expect(calls).toEqual(['resume', 'wait']);
  });
});
