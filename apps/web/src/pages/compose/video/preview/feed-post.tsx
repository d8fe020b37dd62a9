/** A post in a feed, with its text above or below the video. */
import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../../../ui/account-avatar.tsx';
import { accountName } from '../../../../ui/account-name.tsx';
import { CutText } from './cut-text.tsx';
import classes from './preview.module.css';
import type { ShownPostProps } from './screen-post.tsx';

export function FeedPost({ account, shell, text, children }: ShownPostProps) {
  const t = useTranslations('composeVideo');
  const name = account ? accountName(account) : t('yourAccount');
  const handle = account && account.username !== name ? account.username : null;
  const texts = (
    <>
      {text.title !== '' && (
        <Text size="sm" fw={700} dir="auto" translate="no" style={{ overflowWrap: 'anywhere' }}>
          {text.title}
        </Text>
      )}
      <CutText key={account?.id ?? ''} text={text.caption} lines={shell.lines} />
    </>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className={classes.feed} tabIndex={0}>
      <Group gap="sm" wrap="nowrap">
        {account && <AccountAvatar platform={account.platform} image={account.usernameImage} name={name} />}
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={700} truncate translate="no">
            {name}
          </Text>
          {handle && (
            <Text size="xs" c="dimmed" truncate translate="no">
              {handle}
            </Text>
          )}
        </Stack>
      </Group>
      {shell.layout === 'above' && texts}
      <div className={classes.frame}>{children}</div>
      {shell.layout === 'below' && texts}
      {shell.signs.length > 0 && (
        <Group justify="space-between" c="dimmed" aria-hidden>
          {shell.signs.map((Sign) => (
            <Sign key={Sign.displayName} size={18} />
          ))}
        </Group>
      )}
    </div>
  );
}
