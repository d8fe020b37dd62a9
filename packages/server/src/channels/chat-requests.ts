/** The request that delivers a message to each kind of channel except browsers. Pure. */
import type { HttpRequest } from '../outbound/http-client.ts';
import { fit } from './fit.ts';
import type { ChannelTarget } from './kinds.ts';

/** What a channel delivers. */
export interface ChannelMessage {
  title: string;
  /** A few lines of plain text. */
  body: string;
  /** The page in the dashboard. */
  url: string;
  /** The same for messages about the same things: a newer one replaces an older one. At most 32 characters of base64url. */
  tag: string;
}

/** In UTF-16 units, of `content`: https://docs.discord.com/developers/resources/webhook#execute-webhook */
const DISCORD_LENGTH = 2_000;
/** In UTF-16 units, of `text`: https://core.telegram.org/bots/api#sendmessage */
const TELEGRAM_LENGTH = 4_096;
/**
 * In bytes, of the title and the text. Longer texts become attachments (documentation of ntfy: Publishing, Limitations;
 * Configuration, `message-size-limit`).
 */
const NTFY_BYTES = 4_096;
const NTFY_TITLE_BYTES = 250;
/**
 * In UTF-16 units, of the text before it is escaped. Slack shortens what exceeds 40,000, and recommends 4,000:
 * https://docs.slack.dev/changelog/2018-truncating-really-long-messages
 */
const SLACK_LENGTH = 4_000;

type ChatTarget = Exclude<ChannelTarget, { kind: 'push' }>;

/** @param botApi origin of the Bot API */
export function chatRequest(
  target: ChatTarget,
  { title, body, url }: ChannelMessage,
  botApi: string,
): Pick<HttpRequest, 'url' | 'headers' | 'json'> {
  const link = `\n${url}`;
  switch (target.kind) {
    case 'ntfy': {
      const { server, topic } = ntfyTopic(target.url);
      const subject = fit(title, NTFY_TITLE_BYTES, Buffer.byteLength);
      const message = fit(body, NTFY_BYTES - Buffer.byteLength(subject), Buffer.byteLength);
      return {
        url: server,
        headers: target.token === null ? {} : { authorization: `Bearer ${target.token}` },
        json: { topic, title: subject, message, click: url },
      };
    }
    case 'discord': {
      const escaped = (text: string) => escapeMarkdown(text).length;
      const head = `**${escapeMarkdown(title)}**\n`;
      const text = escapeMarkdown(fit(body, DISCORD_LENGTH - head.length - link.length, escaped));
      // Without this, "@everyone" in a caption would notify everybody.
      return { url: target.url, json: { content: head + text + link, allowed_mentions: { parse: [] } } };
    }
    case 'slack': {
      const text = fit(`${title}\n${body}`, SLACK_LENGTH - link.length, (part) => part.length);
      return { url: target.url, json: { text: escapeSlack(text) + escapeSlack(link), mrkdwn: false } };
    }
    case 'telegram': {
      const text = fit(`${title}\n\n${body}`, TELEGRAM_LENGTH - link.length, (part) => part.length);
      return {
        url: `${botApi}/bot${target.token}/sendMessage`,
        json: { chat_id: target.chatId, text: text + link, link_preview_options: { is_disabled: true } },
      };
    }
  }
}

/** The server and the topic of an ntfy address. The JSON form of publishing takes the topic in the body, as UTF-8. */
export function ntfyTopic(address: string): { server: string; topic: string } {
  const { origin, pathname } = new URL(address);
  const [, path = '/', topic = ''] = /^(.*\/)([^/]*)$/.exec(pathname) ?? [];
  return { server: origin + path, topic };
}

/** Text that Discord shows unchanged: https://support.discord.com/hc/en-us/articles/210298617 */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()]/g, '\\$&').replace(/^[#-]/gm, '\\$&');
}

/** https://docs.slack.dev/messaging/formatting-message-text/#escaping */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
