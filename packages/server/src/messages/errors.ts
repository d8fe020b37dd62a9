/**
 * All messages of API errors: the default message of each code, and the messages that name the exact problem.
 * Codes and statuses are stable. Messages are not: clients must not parse them.
 */
import { messagesOf } from './message.ts';

/** Every error code, with its HTTP status and default message. */
export const ERRORS = {
  invalid_request: [400, 'The request is invalid.'],
  unknown_field: [400, 'The request contains an unknown field.'],
  video_missing: [400, 'The video is missing. Send exactly one video in the form field "video".'],
  several_videos: [400, 'Send one video only.'],
  video_unreadable: [400, 'The file is not a readable video.'],
  video_too_short: [400, 'The video is shorter than 3 seconds.'],
  video_too_long: [400, 'The video is longer than 90 seconds.'],
  video_not_vertical: [400, 'The video is not vertical (9:16). Send fit=pad or fit=crop to convert it.'],
  video_source_refused: [400, 'The URL of the video is not allowed. It must be a public https URL.'],
  video_source_failed: [400, 'The video could not be downloaded from its URL.'],
  video_source_slow: [400, 'The download of the video timed out. Upload the file instead.'],
  preview_time_out_of_range: [400, 'previewTime must be between 0 and the length of the video.'],
  caption_too_long: [400, 'The description is too long for one of the selected platforms.'],
  scheduled_in_past: [400, 'The scheduled time is in the past.'],
  scheduled_too_far: [400, 'The scheduled time is more than 366 days ahead.'],
  circular_dependency: [400, 'Circular dependency'],
  unauthorized: [401, 'Invalid or missing API key. Send the header Authorization: Bearer <key>.'],
  api_access_not_in_plan: [403, 'Your plan does not include API keys.'],
  plan_limit_reached: [403, 'You have reached a limit of your plan.'],
  too_many_uploads: [403, 'Unused uploads are limited to 5, and to 2 GiB in total. Post or delete one first.'],
  account_suspended: [403, 'This user is suspended.'],
  session_required: [403, 'An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.'],
  csrf_required: [403, 'The header X-Reelay-CSRF: 1 is required for changes in a session.'],
  https_required: [403, 'Use HTTPS.'],
  operator_required: [403, 'Only the operator of this service may do this.'],
  not_found: [404, 'Not found.'],
  unknown_platform: [404, 'Connected account not found.'],
  unknown_post: [404, 'Post not found.'],
  unknown_rule: [404, 'Rule not found.'],
  unknown_item: [404, 'Item not found.'],
  unknown_media: [404, 'File not found.'],
  unknown_upload: [404, 'Upload not found.'],
  unknown_session: [404, 'Session not found.'],
  unknown_user: [404, 'User not found.'],
  no_api_key: [404, 'No API key has been generated yet.'],
  method_not_allowed: [405, 'Method not allowed.'],
  platform_not_connected: [409, 'The account is not connected.'],
  setup_needed: [409, 'A required setting of the account is missing. Its owner must choose it before posting.'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is still in progress.'],
  not_cancellable: [409, 'The post is not scheduled, or has already started.'],
  not_retryable: [409, 'No part of this post can be retried.'],
  not_editable: [409, 'The post has already started.'],
  not_suspendable: [409, 'An operator cannot be suspended.'],
  not_deletable: [409, 'The post is still in progress.'],
  duplicate_rule: [409, 'A rule already reposts from this source to one of the destinations.'],
  not_repostable: [409, 'The item cannot be reposted.'],
  wrong_offset: [409, 'Upload-Offset does not match the current offset.'],
  upload_incomplete: [409, 'The upload is incomplete.'],
  upload_used: [409, 'The upload is already used by a post.'],
  video_gone: [410, 'The video is no longer stored.'],
  unsupported_tus_version: [412, 'Unsupported tus version. Send the header Tus-Resumable: 1.0.0.'],
  video_too_large: [413, 'The video is larger than 524,288,000 bytes.'],
  body_too_large: [413, 'The JSON body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'The media type of the body is not supported.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with a different request.'],
  connect_failed: [422, 'The account could not be connected.'],
  upload_locked: [423, 'Another request is writing to this upload.'],
  rate_limited: [429, 'Too many requests.'],
  checksum_mismatch: [460, 'The data does not match its checksum.'],
  internal_error: [500, 'Internal error. Try again later.'],
  storage_full: [503, 'There is not enough free disk space to store a video.'],
  storage_unavailable: [503, 'The storage is not available.'],
  source_unreadable: [503, 'The posts of the source cannot be read now.'],
  busy: [503, 'Too many sign-ins are waiting. Try again in a few seconds.'],
  database_unavailable: [503, 'The database is not available.'],
  starting: [503, 'The service is starting.'],
  draining: [503, 'The service is shutting down.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Messages that name the exact problem, with the error code that they belong to. `{name}` is a placeholder. */
export const ERROR_MESSAGES = {
  // HTTP requests.
  request_malformed: ['invalid_request', 'Malformed HTTP request.'],
  url_malformed: ['invalid_request', 'Malformed URL.'],
  body_empty: ['invalid_request', 'The body is empty.'],
  body_length_wrong: ['invalid_request', 'The length of the body does not match its Content-Length.'],
  body_timed_out: ['invalid_request', 'The body did not arrive within {seconds} s.'],
  body_not_json: ['invalid_request', 'The body is not valid JSON.'],
  body_not_utf8: ['invalid_request', 'The body is not valid UTF-8.'],
  body_not_object: ['invalid_request', 'The body must be a JSON object.'],
  sign_in_body_too_large: ['body_too_large', 'The JSON body is larger than 16 KiB.'],
  json_too_deep: ['invalid_request', 'The JSON is nested too deeply.'],
  text_with_nul: ['invalid_request', 'Text must not contain U+0000.'],
  text_with_lone_surrogate: ['invalid_request', 'Text must not contain a lone surrogate.'],
  field_missing: ['invalid_request', 'The field "{name}" is missing.'],
  field_invalid: ['invalid_request', 'The field "{name}" is invalid: {problem}.'],
  field_unknown: ['unknown_field', 'Unknown field "{name}".'],
  parameter_not_utf8: ['invalid_request', 'The parameter "{name}" is not valid UTF-8.'],
  too_many_unfinished: ['busy', 'Too many unfinished requests from this IP address.'],
  streams_full: ['busy', 'Too many event streams are open. Try again later.'],
  rate_limited_for: ['rate_limited', 'Too many requests. Try again in {seconds} s.'],
  loops_stuck: ['database_unavailable', 'Not working: {loops}.'],
  metrics_unauthorized: [
    'unauthorized',
    'Send METRICS_TOKEN as a bearer token. Without it, metrics are available only on this machine, while PUBLIC_URL and HOST are loopback addresses.',
  ],
  sandbox_unauthorized: ['unauthorized', 'Only the operator may use the sandbox of a public service.'],
  sandbox_operator_required: ['operator_required', 'Only the operator may use the sandbox of a public service.'],

  sandbox_disabled: ['not_found', 'The sandbox is disabled. Set SANDBOX=on to use it.'],
  phone_rejected: ['invalid_request', '{reason}'],

  // Forms.
  form_type_wrong: ['unsupported_media_type', 'Send the form as multipart/form-data.'],
  form_boundary_invalid: ['invalid_request', 'The Content-Type header has no valid boundary.'],
  form_malformed: ['invalid_request', 'The form is malformed or incomplete.'],
  form_too_large: ['invalid_request', 'The form without the video is larger than 1 MiB.'],
  form_too_many_fields: ['invalid_request', 'The form has more than {limit} fields.'],
  part_without_name: ['invalid_request', 'A part of the form has no valid Content-Disposition header with a name.'],
  part_with_encoding: [
    'invalid_request',
    'A part of the form has a Content-Transfer-Encoding. Send the bytes without one.',
  ],
  form_field_unknown: ['unknown_field', 'Unknown form field {label}.'],
  form_field_is_file: ['invalid_request', 'The form field {label} must be text, not a file.'],
  form_field_repeated: ['invalid_request', 'The form field {label} was sent twice.'],
  form_field_too_long: ['invalid_request', 'The form field {label} is longer than {limit} KiB.'],
  form_field_not_text: ['invalid_request', 'The form field {label} is not valid UTF-8, or contains U+0000.'],
  form_field_missing: ['invalid_request', 'The form field "{name}" is missing.'],
  form_field_empty: ['invalid_request', 'The form field "{name}" is empty.'],
  form_field_invalid: ['invalid_request', 'The form field "{name}" is invalid: {problem}'],
  platforms_count: ['invalid_request', 'The form field "platforms" must contain 1 to {limit} account ids.'],
  platforms_not_strings: ['invalid_request', 'The form field "platforms" must be a JSON array of strings.'],
  scheduled_not_number: [
    'invalid_request',
    'The form field "scheduled" must be an integer: the Unix time in milliseconds.',
  ],
  fit_unknown: ['invalid_request', 'The form field "fit" must be "pad" or "crop".'],
  options_not_object: ['invalid_request', 'The form field "options" must be a JSON object.'],
  options_entry_not_object: ['invalid_request', 'The form field "options.{name}" must be an object.'],
  option_not_text: ['invalid_request', 'The form field "{path}" must be a string.'],
  option_unknown: ['invalid_request', 'The form field "{path}" is unknown to {platform}.'],
  option_unsupported: ['invalid_request', 'The form field "{path}" is unknown: {platform} supports only "caption".'],
  option_invalid: ['invalid_request', 'The form field "{path}" is invalid: {problem}.'],
  option_without_account: ['invalid_request', 'The form field "{path}" matches none of the selected accounts.'],
  option_not_allowed: [
    'invalid_request',
    'The form field "{path}" cannot be "{value}" for {account}. Allowed: {allowed}.',
  ],
  two_sources: ['invalid_request', 'Send "uploadId" or "videoUrl", not both: a post has one video.'],
  several_sources: [
    'several_videos',
    'Send a file, "uploadId" or "videoUrl", not more than one: a post has one video.',
  ],
  video_url_too_long: ['invalid_request', 'The form field "videoUrl" has more than {limit} characters.'],
  video_not_file: ['video_missing', 'The form field "video" must be a file, not text.'],
  video_empty: ['video_missing', 'The file in the form field "video" is empty.'],
  video_larger_than: ['video_too_large', 'The video is larger than {limit} bytes.'],

  // Uploads.
  upload_aborted: ['invalid_request', 'The upload was interrupted.'],
  upload_too_slow: ['invalid_request', 'The upload was slower than 16 kB per second.'],
  upload_empty: ['invalid_request', 'Upload-Length must be at least 1.'],
  upload_length_deferred: ['invalid_request', 'Upload-Defer-Length is not supported. Send Upload-Length.'],
  upload_type_wrong: ['unsupported_media_type', 'Send the data as application/offset+octet-stream.'],
  upload_count_exceeded: [
    'too_many_uploads',
    'You have {count} unused uploads. The limit is {limit}. Post or delete one of them: {ids}.',
  ],
  upload_space_exceeded: [
    'too_many_uploads',
    'Your unused uploads take {used} bytes. The limit is {limit}. Post or delete one of them: {ids}.',
  ],
  upload_taken_over: [
    'upload_locked',
    'Another request took over this upload. Read the current offset with HEAD and continue there.',
  ],
  upload_paused: [
    'upload_locked',
    'The service is temporarily unavailable. Read the current offset with HEAD and continue there.',
  ],
  upload_incomplete_at: ['upload_incomplete', 'The upload is incomplete: {received} of {total} bytes were received.'],
  wrong_offset_at: ['wrong_offset', 'Upload-Offset ({offset}) does not match the current offset ({current}).'],
  upload_exceeded: ['video_too_large', 'The data exceeds the Upload-Length of {limit} bytes.'],
  piece_checksum_mismatch: ['checksum_mismatch', 'The data does not match its Upload-Checksum.'],
  file_checksum_mismatch: [
    'checksum_mismatch',
    'The file does not match the sha256 in its Upload-Metadata. The upload was deleted.',
  ],
  header_missing: ['invalid_request', 'The header {name} is missing.'],
  header_not_bytes: ['invalid_request', 'The header {name} must be an integer number of bytes.'],
  metadata_invalid: [
    'invalid_request',
    'The header Upload-Metadata must contain distinct keys, each with a base64 value.',
  ],
  metadata_sha256_invalid: [
    'invalid_request',
    'The key sha256 in Upload-Metadata must be the 64 hexadecimal digits of a SHA-256, encoded in base64.',
  ],
  checksum_algorithm_unknown: ['invalid_request', 'The header Upload-Checksum must start with one of: {allowed}.'],
  checksum_invalid: ['invalid_request', 'The header Upload-Checksum must contain a base64-encoded {algorithm}.'],

  // The content of a video.
  file_empty: ['video_unreadable', 'The file is empty.'],
  file_format_unknown: [
    'video_unreadable',
    'Unknown file format. Supported: MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI and FLV.',
  ],
  file_truncated: ['video_unreadable', 'The file is truncated.'],
  file_truncated_end: ['video_unreadable', 'The file is truncated: its end is missing.'],
  file_box_invalid: ['video_unreadable', 'The file is damaged: one of its boxes has an impossible size.'],
  file_too_many_boxes: ['video_unreadable', 'The file has more than {limit} boxes.'],
  file_index_too_large: ['video_unreadable', 'The index (moov) of the file is larger than 16 MiB.'],
  file_fragment_index_too_large: ['video_unreadable', 'A fragment index (moof) of the file is larger than 1 MiB.'],
  file_without_index: [
    'video_unreadable',
    'The file has no index (moov). The recording or the transfer was not completed.',
  ],
  file_with_two_indexes: ['video_unreadable', 'The file has more than one index (moov).'],
  file_read_timed_out: ['video_unreadable', 'Reading the file takes too long.'],
  file_damaged: ['video_unreadable', 'The file is damaged, or its format does not match its first bytes.'],
  too_many_packets: ['video_unreadable', 'The file has more packets than a video of 90 seconds can have.'],
  no_video_track: ['video_unreadable', 'The file has no video track.'],
  single_frame: ['video_unreadable', 'The video has only one frame.'],
  codec_unknown: ['video_unreadable', 'The video codec is not supported.'],
  no_dimensions: ['video_unreadable', 'The video has no dimensions.'],
  too_many_pixels: ['video_unreadable', 'The video is {size}, which is more than 8K.'],
  length_contradicted: [
    'video_unreadable',
    'The header of the file says {headerSeconds} seconds, but the file contains {seconds} seconds.',
  ],
  video_undecodable: ['video_unreadable', 'The video cannot be decoded to its end.'],
  picture_too_slow: ['video_unreadable', 'The file is not a readable video: decoding a frame takes too long.'],
  video_without_picture: ['video_unreadable', 'The file is not a readable video: no frame could be decoded.'],
  conversion_too_slow: ['video_unreadable', 'Converting the video takes too long.'],
  video_longer: ['video_too_long', 'The video is {seconds} seconds long. The maximum is 90 seconds.'],
  video_shorter: ['video_too_short', 'The video is {seconds} seconds long. The minimum is 3 seconds.'],
  video_shape: [
    'video_not_vertical',
    'The video is {size}, not vertical (9:16). Send fit=pad or fit=crop to convert it.',
  ],
  preview_time_above: [
    'preview_time_out_of_range',
    'previewTime must be between 0 and the length of the video ({seconds} seconds).',
  ],

  // Videos from URLs.
  source_malformed: ['video_source_refused', 'The URL of the video is malformed{redirects}.'],
  source_with_user: ['video_source_refused', 'The URL of the video contains a user name or password{redirects}.'],
  source_port: ['video_source_refused', 'The port in the URL of the video is not allowed{redirects}.'],
  source_not_https: ['video_source_refused', 'The URL of the video is not https{redirects}.'],
  source_private: ['video_source_refused', 'The URL of the video leads to a private network{redirects}.'],
  source_own: ['video_source_refused', 'The URL of the video leads to this service{redirects}.'],
  source_host_unknown: ['video_source_failed', 'The host in the URL of the video was not found{redirects}.'],
  source_connection_refused: ['video_source_failed', 'The video’s host refused the connection{redirects}.'],
  source_connection_reset: ['video_source_failed', 'The video’s host reset the connection{redirects}.'],
  source_tls: ['video_source_failed', 'The TLS certificate of the video’s host is not trusted{redirects}.'],
  source_not_http: ['video_source_failed', 'The video’s host sent an invalid HTTP response{redirects}.'],
  source_unreachable: ['video_source_failed', 'The video’s host could not be reached{redirects}.'],
  source_too_many_redirects: ['video_source_failed', 'The URL of the video redirects too often{redirects}.'],
  source_redirect_loop: ['video_source_failed', 'The URL of the video redirects in a loop{redirects}.'],
  source_redirect_nowhere: ['video_source_failed', 'The URL of the video redirects without a Location{redirects}.'],
  source_status: ['video_source_failed', 'The URL of the video returned status {status}.'],
  source_compressed: ['video_source_failed', 'The URL of the video returned compressed content.'],
  source_not_video: ['video_source_failed', 'The URL of the video returned {kind} instead of a video.'],
  source_without_length: ['video_source_failed', 'The URL of the video returned content of unknown length.'],
  source_empty: ['video_source_failed', 'The URL of the video returned no content.'],
  source_interrupted: ['video_source_failed', 'The download of the video was interrupted.'],

  // Posts.
  account_not_found: ['unknown_platform', 'Connected account "{id}" not found.'],
  account_not_in_post: ['unknown_platform', 'This post has no account "{id}".'],
  account_not_connected: ['platform_not_connected', 'The account {account} is not connected.'],
  setting_missing: ['setup_needed', 'A setting of {account} is missing. Its owner must choose: {setting}.'],
  caption_too_long_for: ['caption_too_long', '{account}: {problem}'],
  caption_not_allowed: ['invalid_request', '{account}: {problem}'],
  description_not_unicode: ['invalid_request', 'The description is not valid Unicode.'],
  description_too_long: ['invalid_request', 'The description has {count} characters. The maximum is {limit}.'],
  idempotency_key_length: ['invalid_request', 'The Idempotency-Key must have 1 to {limit} characters.'],
  target_not_failed: ['not_retryable', 'The post did not fail on the account {id}.'],
  target_may_be_posted: [
    'not_retryable',
    'The platform may already have this post. Check there first. To retry anyway, send "acceptDuplicate": true.',
  ],
  range_incomplete: ['invalid_request', 'The parameters "startTime" and "endTime" must be sent together.'],
  range_with_page: ['invalid_request', 'The parameter "page" cannot be combined with a time range.'],
  range_reversed: ['invalid_request', 'The "startTime" is after the "endTime".'],

  // Rules.
  rule_exists: ['duplicate_rule', 'A rule already reposts from this source to the account {id}.'],
  catalog_item_unknown: ['invalid_request', 'The item "{id}" is not in the back catalog of the source. List it first.'],
  privacy_without_destination: [
    'invalid_request',
    'The privacy of "{id}" was sent, which is no destination of the rule.',
  ],
  privacy_unsupported: ['invalid_request', 'The privacy of {account} cannot be set: {platform} has no such setting.'],
  privacy_not_allowed: ['invalid_request', 'The privacy of {account} must be one of: {allowed}.'],
  item_not_repostable: ['not_repostable', 'The item cannot be reposted. {reason}'],
  source_not_readable: ['source_unreadable', 'The posts of the source cannot be read now. {reason}'],
  item_reposted: ['not_repostable', 'The item was already reposted.'],
  cursor_invalid: [
    'invalid_request',
    'The parameter "cursor" is invalid. Send the value of "next" from the last page.',
  ],
  pause_contradicts: ['invalid_request', 'The fields "isPaused" and "pause" contradict each other.'],

  // Accounts.
  platform_unknown: ['invalid_request', 'Unknown platform "{platform}". Supported: {allowed}.'],
  application_unknown: ['not_found', 'Unknown application "{name}". Known: {allowed}.'],
  application_not_stored: ['not_found', 'No application is stored under this name.'],
  application_missing: [
    'connect_failed',
    'The operator has not configured an application at {platform} yet. Its redirect URI must be {redirectUri}',
  ],
  sandbox_off: ['platform_not_connected', 'The sandbox is disabled.'],
  sandbox_without_platform: ['invalid_request', 'The sandbox does not support {platform}.'],
  secret_not_used: ['invalid_request', '{platform} is connected in a browser. Do not send "secret".'],
  connect_field_missing: ['invalid_request', 'The field "{name}" is missing: {label}.'],
  connect_field_not_allowed: ['invalid_request', 'The field "{name}" must be {allowed}.'],
  connect_failed_for: ['connect_failed', '{reason}'],
  connect_failed_reference: ['connect_failed', '{reason} (Reference {attempt})'],
  no_account_chosen: ['invalid_request', 'None of the offered accounts was selected.'],
  no_consent: ['invalid_request', 'This platform does not use a consent page.'],
  setting_unknown: ['invalid_request', 'Unknown setting "{name}". Available: {allowed}.'],
  setting_not_allowed: ['invalid_request', 'The setting "{name}" must be one of: {allowed}.'],

  // Users.
  plan_allows: ['plan_limit_reached', 'Your plan allows {value} {unit}. You have used {used}.'],
  password_length: ['invalid_request', 'The password must have {min} to {max} characters.'],
  password_not_text: ['invalid_request', 'The password is not well-formed text.'],
  password_is_email: ['invalid_request', 'The password is your email address, or a part of it. Choose another one.'],
  password_is_pattern: ['invalid_request', 'The password is a repetition or a sequence. Choose another one.'],
  password_is_common: [
    'invalid_request',
    'The password is too common, or a common one with digits or symbols added. Choose another one.',
  ],
} as const satisfies Record<string, readonly [code: ErrorCode, message: string]>;

/** Names of plan limits in {@link ERROR_MESSAGES}. */
export const LIMIT_UNITS = {
  posts_per_month: 'posts per month',
  connected_accounts: 'connected accounts',
  rules: 'rules',
  scheduled_ahead: 'posts scheduled ahead',
} as const;

/** What can be wrong with the value of a field. They end the message `field_invalid`. */
const FIELD_PROBLEMS = {
  empty: 'must not be empty',
  too_long: 'must have at most {limit} characters',
  not_text: 'must be well-formed text without U+0000',
  not_email: 'must be an email address',
  not_integer: 'must be an integer',
  not_moment: 'must be Unix milliseconds or an ISO 8601 time with an offset, such as 2026-08-01T09:30:00Z',
  below: 'must be at least {limit}',
  above: 'must be at most {limit}',
  too_many: 'must have at most {limit} entries',
  not_time: 'must be a time of day such as 22:00',
  no_duration: '"from" and "to" must differ',
  below_minimum: 'must not be below the minimum',
  not_hashtag: 'must be a hashtag of letters, digits and underscores',
  unknown_zone: 'unknown time zone "{zone}"',
  unknown_placeholder: 'unknown placeholder "{placeholder}". Known: {allowed}',
  brace_open: 'write "{{" for a brace that starts no placeholder',
} as const;

export const fieldProblem = messagesOf(FIELD_PROBLEMS);

/** Rejected sign-ups, by better-auth's codes. */
const SIGN_UP_MESSAGES = {
  SIGN_UP_CLOSED: 'Sign-up is closed.',
  SIGN_UP_TOKEN_NEEDED: 'The first sign-up requires {token}.',
  token_printed: 'the token that the service printed when it started',
  token_unavailable:
    'a token. Set PUBLIC_URL to the public address of the service, restart it, and use the token that it prints',
} as const;

export const signUpMessage = messagesOf(SIGN_UP_MESSAGES);

/** Other rejections of sign-in, by code. */
const SIGN_IN_MESSAGES = {
  SECOND_FACTOR_REQUIRED: 'Enter the code of your authenticator app, or a backup code.',
  RESET_PASSWORD_DISABLED: 'This service cannot send mail. Ask the operator for a new password.',
  OPERATOR_NEEDED: 'You operate this service, and it has other users. Delete them first, with npx reelay users delete.',
  INVALID_TOKEN: 'This link was already used or has expired. Request a new one.',
} as const;

export const signInMessage = messagesOf(SIGN_IN_MESSAGES);
