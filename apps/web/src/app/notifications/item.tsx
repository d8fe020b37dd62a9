/** One notification: a link to what it is about. */
import { Badge, Group, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import type { Notification, NotificationKind } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { troubleCause } from '../../pages/posts/causes.ts';
import { accountName } from '../../ui/account-name.tsx';
import {
  IconAlertTriangle,
  IconClockExclamation,
  IconEyeOff,
  IconPlugConnectedX,
  IconRefresh,
} from '../../ui/icons/index.ts';
import { platformName } from '../../ui/platform-icon.tsx';
import classes from './item.module.css';

const ICONS: Readonly<Record<NotificationKind, { Icon: typeof IconEyeOff; color: string }>> = {
  post_failed: { Icon: IconAlertTriangle, color: 'red' },
  post_trouble: { Icon: IconRefresh, color: 'orange' },
  account_reconnect: { Icon: IconPlugConnectedX, color: 'orange' },
  access_ends: { Icon: IconClockExclamation, color: 'yellow' },
  source_unread: { Icon: IconEyeOff, color: 'orange' },
};

/** Maximum number of accounts that are listed. */
const MAX_ACCOUNTS = 3;
const MINUTE = 60_000;

export function Item({ item, onOpen }: { item: Notification; onOpen(): void }) {
  const t = useTranslations('notifications');
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE });
  const { Icon, color } = ICONS[item.kind];
  const content = (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon variant="light" color={item.resolved ? 'gray' : color} radius="xl">
        <Icon size={18} aria-hidden />
      </ThemeIcon>
      <Stack gap={2} miw={0} flex={1}>
        <Text size="sm" fw={item.read ? 400 : 700} className={classes.text}>
          {!item.read && <VisuallyHidden>{t('unread')} </VisuallyHidden>}
          <Title item={item} />
        </Text>
        <Details item={item} />
        <Group gap="xs">
          <Text size="xs" c="dimmed" component="time" dateTime={item.at}>
            {format.relativeTime(new Date(item.at), now)}
          </Text>
          {item.resolved && (
            <Badge size="sm" variant="light" color="green">
              {t('resolved')}
            </Badge>
          )}
        </Group>
      </Stack>
      {!item.read && <span className={classes.dot} aria-hidden />}
    </Group>
  );
  return (
    <li>
      {item.post ? (
        <Link className={classes.link} to="/posts/$id" params={{ id: item.post.id }} onClick={onOpen}>
          {content}
        </Link>
      ) : (
        <Link className={classes.link} to={item.kind === 'source_unread' ? '/reposts' : '/accounts'} onClick={onOpen}>
          {content}
        </Link>
      )}
    </li>
  );
}

function Title({ item: { kind, post, account, moment } }: { item: Notification }) {
  const t = useTranslations('notifications');
  const format = useFormatter();
  if (post && kind === 'post_trouble') {
    if (post.troubled.length === 0) return t('troubledBefore');
    return t('troubled', { troubled: post.troubled.length, accounts: post.accounts });
  }
  if (post) {
    if (post.failed.length === 0) return t('failedBefore');
    const isUnknown = post.failed.every(({ message }) => message === 'outcome_unknown');
    return t(isUnknown ? 'unknown' : 'failed', { failed: post.failed.length, accounts: post.accounts });
  }
  const name = account ? `${platformName(account.platform)} (${accountName(account)})` : '';
  const at = moment ? format.dateTime(new Date(moment), { dateStyle: 'medium', timeStyle: 'short' }) : '';
  if (kind === 'access_ends') return t('accessEnds', { account: name, at });
  return kind === 'source_unread' ? t('sourceUnread', { account: name, at }) : t('reconnect', { account: name });
}

function Details({ item: { kind, post } }: { item: Notification }) {
  const t = useTranslations('notifications');
  const tPost = useTranslations('post');
  if (!post) return null;
  const isTrouble = kind === 'post_trouble';
  const affected = isTrouble ? post.troubled : post.failed;
  const hidden = affected.length - MAX_ACCOUNTS;
  return (
    <>
      {post.description && (
        <Text size="sm" lineClamp={2} className={classes.text} dir="auto" translate="no">
          {post.description}
        </Text>
      )}
      {affected.slice(0, MAX_ACCOUNTS).map(({ message, ...account }) => (
        <Text key={account.id} size="xs" c="dimmed" className={classes.text}>
          {t('failure', {
            account: `${platformName(account.platform)} (${accountName(account)})`,
            cause: tPost(isTrouble ? `trouble.${troubleCause(message)}.title` : `cause.${message}.title`),
          })}
        </Text>
      ))}
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          {t('moreFailed', { count: hidden })}
        </Text>
      )}
    </>
  );
}
