import { expect, test } from 'vitest';
import { AccountAvatar } from '../../src/ui/account-avatar.tsx';
import { render } from './render.tsx';

test.each([
  ['https://reelay.example/api/v1/media/a.png', '/api/v1/media/a.png'],
  ['', undefined],
])("the picture %j is loaded from the page's address", (image, src) => {
  const { container } = render(<AccountAvatar platform="tiktok" image={image} name="anna" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe(src);
});
