import type { Platform } from '@reelay/sdk';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { PhonePreview } from '../../src/pages/compose/video/preview/phone-preview.tsx';
import type { PostText } from '../../src/pages/compose/video/preview/shells.ts';
import { listedAccount } from './accounts.ts';
import { render } from './render.tsx';

const CAPTION = 'The Pantheon at night\n\nMore on the channel.';

function preview(platforms: readonly string[], text: Partial<PostText> = {}) {
  const accounts = platforms.map((platform) => listedAccount(platform, { platform }));
  const textOf = (account: Platform | undefined) => ({
    title: '',
    caption: account ? `${CAPTION} For ${account.platform}.` : CAPTION,
    ...text,
  });
  const video = { fit: null, cropPosition: 0.5, start: 0, end: null, at: 0 };
  return render(<PhonePreview url={null} accounts={accounts} textOf={textOf} shown={video} />);
}

const shown = () => screen.getByRole('region', { name: 'Preview' }).textContent;

describe('the preview of a post', () => {
  test('shows the caption before accounts are chosen', () => {
    preview([]);
    expect(shown()).toBe(`Your account${CAPTION}`);
  });

  test('shows the text for the chosen account', async () => {
    const { user } = preview(['tiktok', 'bluesky']);
    expect(shown()).toContain('For tiktok.');
    await user.selectOptions(screen.getByLabelText('Preview for'), 'Bluesky: Name of bluesky');
    expect(shown()).toContain('For bluesky.');
  });

  test('shows a given title instead of the caption', () => {
    preview(['youtube'], { title: 'Rome' });
    expect(shown()).toMatch(/Name of youtubeRome$/);
  });

  test('shows the first line where only titles are shown', () => {
    preview(['youtube'], { caption: '\n  The Pantheon  \nMore' });
    expect(shown()).toMatch(/Name of youtubeThe Pantheon$/);
  });

  test('shows title and caption on Pinterest', () => {
    preview(['pinterest'], { title: 'Rome', caption: 'A walk' });
    expect(shown()).toMatch(/pinterestRomeA walk$/);
  });

  for (const [platform, order] of [
    ['bluesky', ['TEXT', 'video']],
    ['telegram', ['video', 'TEXT']],
  ] as const)
    test(`shows the text of ${platform} and the video in order`, () => {
      const { container } = preview([platform], { caption: 'TEXT' });
      const parts = [...container.querySelectorAll('section p, section svg')].map((each) =>
        each.textContent === 'TEXT' ? 'TEXT' : each.matches('[width="40"]') ? 'video' : '',
      );
      expect(parts.filter(Boolean)).toEqual(order);
    });
});

describe('the safe zone', () => {
  test('is marked on request', async () => {
    const { user } = preview(['tiktok']);
    expect(screen.queryByTestId('safe-zone')).toBeNull();
    await user.click(screen.getByRole('switch', { name: /^Safe zone/ }));
    expect(screen.getByTestId('safe-zone').style.inset).toBe('7% 14% 20% 6%');
  });

  test('stays marked for the next account that has one', async () => {
    const { user } = preview(['tiktok', 'instagram']);
    await user.click(screen.getByRole('switch', { name: /^Safe zone/ }));
    await user.selectOptions(screen.getByLabelText('Preview for'), 'Instagram: Name of instagram');
    expect(screen.getByTestId('safe-zone').style.inset).toBe('14% 6% 35% 6%');
  });

  test('is not offered where videos are not covered', () => {
    preview(['mastodon']);
    expect(screen.queryByRole('switch')).toBeNull();
  });
});
