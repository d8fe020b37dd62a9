/** The messages that only Telegram uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'telegram', name: 'Telegram' },
  {
    // Connecting.
    token_malformed: 'This is not a bot token. Copy the token from @BotFather: a number, a colon and 35 characters.',
    bot_token_rejected: 'Telegram rejected the bot token. Connect the account with the current token from @BotFather.',
    server_url_invalid: 'The URL of the Bot API server is invalid.',
    not_bot_api: 'Telegram responded with 404. Check the URL of the Bot API server.',
    channel_invalid: 'Name the channel, for example @noraclips, or give its number, which begins with -100.',
    too_many_chats: 'Name one channel and at most one storage chat.',
    not_channel: 'The chat “{title}” is not a channel. Name a channel.',
    not_admin:
      'The bot may not post in “{title}”. Make it an administrator that may post messages, then connect again.',
    storage_is_channel: 'The storage chat is the channel itself. Name another chat.',
    storage_public:
      'The storage chat is public, so videos would be visible before they are posted. Name a private chat.',
    storage_not_writable: 'The bot may not send videos to the storage chat. Make it a member that may post messages.',

    // Publishing.
    stored: 'The video is in the storage chat.',
    stored_with_cover: 'The video and its cover are in the storage chat.',
    stored_as_file: 'Telegram did not recognize the file as a video.',
    storage_moved: 'The storage chat has a new id.',
    storage_skipped: 'The storage chat cannot be used. {reason} Uploading directly to the channel.',
    publishing_with_upload: 'Uploading to the channel. The last byte of the video publishes the post.',
    converted_later: 'Telegram converts the video before the channel shows it, and does not return the URL.',
    may_be_animation: 'The video has no sound. Telegram may show it as a looping animation (GIF).',
    shown_as_animation: 'The video is without sound, so Telegram shows it as a looping animation (GIF).',
    shown_as_file: 'Telegram shows the post as a file, not as a video.',

    // Watching.
    file_too_large:
      'Telegram gives bots only files up to 20 MB. A Bot API server of your own (TELEGRAM_API_URL) gives larger files.',
    file_not_served:
      'The Bot API server keeps the file on its own disk. Let a web server serve its files under /file/bot.',

    // Failures.
    chat_not_found:
      'Telegram did not find the chat. Check its name and the bot’s membership, then reconnect the account.',
    chat_moved: 'The chat has a new id.',
    rights_missing: 'The bot may not post in the chat. Make it an administrator that may post messages.',
    not_member: 'The bot was removed from the chat. Add it as an administrator that may post messages.',
    bot_in_use: 'Another program uses this bot. Stop it, then retry.',
  },
);
