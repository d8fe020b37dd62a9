/**
 * All error codes of the service: one table and one class. The OpenAPI document, the docs and the tests are generated
 * from {@link ERRORS}. A code is stable; its message may be made more specific where it is thrown.
 */
export const ERRORS = {
  invalid_request: [400, 'The request is not well formed.'],
  unknown_field: [400, 'The request has a field that this operation does not know.'],
  video_missing: [400, 'Send exactly one video in the form field "video".'],
  several_videos: [400, 'Send one video only.'],
  video_unreadable: [400, 'The file is not a video that can be read.'],
  video_too_short: [400, 'The video is shorter than 3 seconds.'],
  video_too_long: [400, 'The video is longer than 90 seconds.'],
  video_not_vertical: [400, 'The video is not vertical 9:16. Send fit=pad or fit=crop to have it made so.'],
  video_source_refused: [400, 'The address of the video is not one that is fetched from: it must be https and public.'],
  video_source_failed: [400, 'The video could not be fetched from its address.'],
  video_source_slow: [400, 'The video did not come from its address in time. Upload the file instead.'],
  preview_time_out_of_range: [400, 'previewTime must lie between 0 and the length of the video.'],
  caption_too_long: [400, 'The description is longer than one of the chosen platforms allows.'],
  scheduled_in_past: [400, 'The scheduled time lies in the past.'],
  scheduled_too_far: [400, 'The scheduled time lies more than 366 days ahead.'],
  circular_dependency: [400, 'Circular dependency'],
  unauthorized: [401, 'Send a valid API key: Authorization: Bearer <key>.'],
  api_access_not_in_plan: [403, 'Your plan does not include access by API key.'],
  plan_limit_reached: [403, 'Your plan does not allow more of this.'],
  too_many_uploads: [403, 'You have 5 uploads that no post has used, or 2 GiB of them. Post or delete one first.'],
  account_suspended: [403, 'This user is suspended.'],
  session_required: [403, 'This operation needs a signed-in user, not an API key: POST /api/auth/sign-in/email.'],
  csrf_required: [403, 'Requests with a session that change something need the header X-Reelay-CSRF: 1.'],
  https_required: [403, 'Use HTTPS.'],
  operator_required: [403, 'Only the operator of this service may do this.'],
  not_found: [404, 'There is nothing at this address.'],
  unknown_platform: [404, 'There is no such connected account.'],
  unknown_post: [404, 'There is no such post.'],
  unknown_rule: [404, 'There is no such rule.'],
  unknown_media: [404, 'There is no such file.'],
  unknown_upload: [404, 'There is no such upload.'],
  no_api_key: [404, 'No API key has been generated yet.'],
  method_not_allowed: [405, 'This address does not know this method.'],
  platform_not_connected: [409, 'The account is not connected.'],
  setup_needed: [409, 'The account needs a choice of its owner before it can post.'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is still running.'],
  not_cancellable: [409, 'The post is not scheduled, or has begun already.'],
  not_retryable: [409, 'Nothing of this post can be tried again.'],
  not_editable: [409, 'The post has begun already.'],
  not_deletable: [409, 'The post is still under way.'],
  duplicate_rule: [409, 'This source already reposts to one of the destinations.'],
  wrong_offset: [409, 'The upload stands at another byte.'],
  upload_incomplete: [409, 'The upload is not finished.'],
  upload_used: [409, 'The upload is the video of a post already.'],
  video_gone: [410, 'The video is no longer kept.'],
  unsupported_tus_version: [412, 'Uploads speak version 1.0.0 of tus: send Tus-Resumable: 1.0.0.'],
  video_too_large: [413, 'The video is larger than 524,288,000 bytes.'],
  body_too_large: [413, 'The JSON body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'The body has a media type that this operation does not take.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with other content.'],
  connect_failed: [422, 'The account could not be connected.'],
  upload_locked: [423, 'Another request writes to this upload.'],
  rate_limited: [429, 'Too many requests.'],
  checksum_mismatch: [460, 'What arrived is not what its checksum says.'],
  internal_error: [500, 'Something went wrong on our side.'],
  storage_full: [503, 'There is too little free space to take a video.'],
  storage_unavailable: [503, 'The storage does not answer.'],
  busy: [503, 'Too many sign-ins are waiting. Try again in a few seconds.'],
  database_unavailable: [503, 'The database does not answer.'],
  starting: [503, 'The service is starting.'],
  draining: [503, 'The service is stopping.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Additional response properties of some codes. */
export interface ErrorExtras {
  /** Whole seconds to wait; also sent as `Retry-After`. */
  retryAfter?: number;
  /** For `plan_limit_reached`. */
  limit?: { name: string; value: number; used: number; resetsAt: string | null };
}

/** The only error that crosses module boundaries. Its message is safe to show; its cause is for the log only. */
export class ReelayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message?: string, options: { cause?: unknown; extras?: ErrorExtras } = {}) {
    super(message ?? ERRORS[code][1], { cause: options.cause });
    this.name = 'ReelayError';
    this.code = code;
    this.status = ERRORS[code][0];
    this.extras = options.extras ?? {};
  }
}
