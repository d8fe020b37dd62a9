/** The messages that only Bluesky uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'bluesky', name: 'Bluesky' },
  {
    // Connecting.
    handle_invalid: 'Enter the handle, for example nora.bsky.social, or the DID.',
    handle_unknown: 'There is no account with the handle {handle}.',
    handle_mismatch: 'The account behind {handle} does not use this handle.',
    did_unknown: 'There is no account with the identifier {did}.',
    did_unsupported: 'The identifier {did} is of an unsupported kind.',
    directory_unavailable: 'The directory of identities responded with {status}.',
    server_missing: 'The account {did} names no server.',
    server_url_invalid: 'The URL of the server is invalid.',
    server_mismatch: 'The account does not belong to the server that responded.',
    other_account: 'The server responded for another account. Connect the account again.',
    other_account_consented: 'Another account gave the consent. Sign in with the account that you named.',
    app_password_required: 'Use an app password instead of the account’s password.',
    login_rejected: 'The handle or the app password is wrong.',
    session_moved: 'The account moved to another server, and its session ended. Reconnect the account.',
    oauth_unsupported: '{host} does not support OAuth. Connect with an app password.',
    public_url_required: 'OAuth needs a PUBLIC_URL with https, or http on localhost. Connect with an app password.',
    proof_rejected: 'The server rejected the DPoP proof ({status}).',

    // Publishing.
    uploading_to_server: 'Uploading the video to the account’s server.',
    uploading_to_service: 'Uploading the video to the video service.',
    parts_unsupported: 'The video service does not support parts. Uploading the video in one request.',
    parts_rejected: '{reason} Uploading the video in one request.',
    part_repeated: '{reason} Sending the part again.',
    parts_missing: 'The video service lacks part {part}. Sending it again.',
    server_limit_smaller: 'The account’s server accepts smaller files only. Trying {limitBytes}.',
    record_expired: 'The prepared record is too old to be sent.',

    // Verification.
    other_record: 'The server responded with another record.',
    account_not_served: 'The server does not serve this account at present.',
    account_moved: 'The account moved to another server.',

    // Failures.
    account_not_found: 'The server does not know the account. It may have moved to another server.',
    account_deactivated: 'The account is deactivated. Reactivate it at Bluesky.',
    email_unconfirmed: 'Confirm the account’s email address at Bluesky before you post videos.',
    text_too_long: 'The text is too long. The maximum is {limit} {limit|character|characters}.',
    upload_forbidden: 'Bluesky does not allow this account to upload videos.',
    uploads_unavailable: 'The video service accepts no uploads at present.',
    video_too_large: 'The video has {sizeBytes}. The maximum is {limitBytes}.',
    not_mp4: 'The server detected the file as {mime}, not as MP4 video.',
  },
);
