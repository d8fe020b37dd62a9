/** Preview of the post as the app of a platform shows it on a phone. */
import { NativeSelect, Stack, Switch } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountName } from '../../../../ui/account-name.tsx';
import { platformName } from '../../../../ui/platform-icon.tsx';
import { FeedPost } from './feed-post.tsx';
import { Player, type ShownVideo } from './player.tsx';
import classes from './preview.module.css';
import { ScreenPost } from './screen-post.tsx';
import { type PostText, shellOf, shownText } from './shells.ts';
import { Still } from './still.tsx';

export interface PreviewedPost {
  /** The chosen accounts. */
  accounts: readonly Platform[];
  /** The texts for an account; undefined: for none yet. */
  textOf(account: Platform | undefined): PostText;
}

interface PhonePreviewProps extends PreviewedPost {
  /** URL of the video; null if the browser cannot play it. */
  url: string | null;
  /** Whether the service makes a version that it can play. */
  isMaking?: boolean;
  /** URL of a picture that is shown without a video. */
  picture?: string;
  shown: ShownVideo;
}

export function PhonePreview({ url, isMaking = false, picture, accounts, textOf, shown }: PhonePreviewProps) {
  const t = useTranslations('composeVideo');
  const [chosen, setChosen] = useState('');
  const [showsCovered, setShowsCovered] = useState(false);
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const shell = shellOf(account?.platform);
  const Post = shell.layout === 'screen' ? ScreenPost : FeedPost;
  return (
    <Stack gap="sm">
      <section className={classes.phone} aria-label={t('preview')}>
        <Post account={account} shell={shell} text={shownText(shell, textOf(account))} showsCovered={showsCovered}>
          {url === null ? <Still picture={picture} isMaking={isMaking} /> : <Player url={url} shown={shown} />}
        </Post>
      </section>
      {accounts.length > 1 && (
        <NativeSelect
          label={t('previewFor')}
          value={account?.id ?? ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={accounts.map((each) => ({
            value: each.id,
            label: `${platformName(each.platform)}: ${accountName(each)}`,
          }))}
        />
      )}
      {account && shell.covered && (
        <Switch
          label={t('safeZone')}
          description={t('safeZoneHint', { platform: platformName(account.platform) })}
          checked={showsCovered}
          onChange={({ currentTarget }) => setShowsCovered(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
