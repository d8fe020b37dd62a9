import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { FoldedPost } from '../../src/pages/posts/folded-post.tsx';
import { pageAt } from './page-route.tsx';
import { foundPost } from './posts.ts';
import { render } from './render.tsx';

const REPOSTS = [foundPost({ id: 'b', description: 'Morning again', repostOf: 'a' })];

function Shown() {
  const [isOpen, setOpen] = useState(false);
  const row = { entry: foundPost({ id: 'a', description: 'Morning' }), index: 0, reposts: REPOSTS };
  return <FoldedPost row={row} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />;
}

test('reposts are shown below their post on request', async () => {
  const { user } = render(pageAt({ Page: Shown, path: '/posts', address: '/posts' }).element);
  const button = await screen.findByRole('button', { name: '+1 repost' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('Morning again')).toBeNull();
  await user.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('list', { name: 'Reposts of this post' }).textContent).toContain('Morning again');
  await user.click(button);
  expect(screen.queryByText('Morning again')).toBeNull();
});
