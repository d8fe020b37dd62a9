// Made by scripts/generate-sdk.mjs from docs/openapi.json. Run it again instead of editing.
export interface paths {
    "/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account
         * @description A connected account with what its owner has chosen on it and can choose.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Disconnect an account
         * @description What has not begun on it is FAILED with `reconnect_required`, what has begun ends truthfully, the rules that it is the source of go. With its last account an access is given back to the platform. With the dashboard’s session only.
         */
        delete: operations["disconnectAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account’s choices
         * @description Choices that are not named stay as they are. What is scheduled goes by the new ones; what has begun goes on as it began. With the dashboard’s session only.
         */
        patch: operations["editAccount"];
        trace?: never;
    };
    "/accounts/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attempts to connect
         * @description Your latest twenty attempts to connect an account within thirty days, newest first, each with its steps as far as it came, in the platform’s own words. With the dashboard’s session only.
         */
        get: operations["listAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/attempts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One attempt to connect
         * @description Of your own; the operator sees everybody’s. With the dashboard’s session only.
         */
        get: operations["getAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect an account
         * @description For most platforms it answers an address to open within ten minutes, once, in a browser in which the same user is signed in. A page there names the user and asks for a confirmation before the platform’s own page; the account is connected when its owner has allowed it on both. With a `secret` (an app password, a bot token) it is connected at once. With the dashboard’s session only.
         */
        post: operations["connectAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The current session
         * @description Answers whose session the cookie is, or `null`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Answers a session in a cookie. Send the cookie with every request; requests that change anything also need the header `X-Reelay-CSRF: 1`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the cookie. Send the body `{}`.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Thumbnail or profile picture
         * @description The picture that `filename` of a history entry, or `usernameImage`, names. Yours only.
         */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected platforms
         * @description Your connected accounts, in the order in which they were connected.
         */
        get: operations["platforms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is set up at each platform
         * @description For the operator: applications, redirect addresses, scopes. Secrets are never shown.
         */
        get: operations["listSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/setup/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set an application
         * @description For the operator: stores, sealed, the id and secret of the application that you registered at a platform. One that the environment names goes before it. Other nodes know it within fifteen seconds.
         */
        put: operations["setApplication"];
        post?: never;
        /**
         * Forget an application
         * @description For the operator: forgets a stored application. What is connected by it cannot be renewed any more.
         */
        delete: operations["removeApplication"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a post
         * @description Uploads one video and queues it for one or more of your accounts, at once or at a time. The answer comes when the video is stored, checked and queued; it never waits for a platform. The fields may come in any order around the file.
         */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One post
         * @description A history entry with everything that happened to it on each account.
         */
        get: operations["getPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post here
         * @description Removes a finished post from the history, with its files. On the platforms it stays: it can be deleted there.
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        /**
         * Edit a post
         * @description Changes the text or the time of a post, as long as nothing of it has begun.
         */
        patch: operations["editPost"];
        trace?: never;
    };
    "/post/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry what failed
         * @description Tries FAILED accounts of a post again; they are PENDING then. Costs nothing of the plan. Where the platform may have the post already (`outcome_unknown`), it is looked for once more before anything is sent.
         */
        post: operations["retryPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post/cancelSchedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cancel scheduled post
         * @description Deletes a scheduled post and its video permanently, as long as nothing of it has begun. The same cancel again within a day succeeds.
         */
        get: operations["cancelSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a post
         * @description Takes what POST /post takes and tells for every account what would happen: whether the video fits or is converted and why, what is wrong with the caption or the options, which limit is used up until when, whether the access ends before. Nothing is posted, kept or used up; an upload still serves its post afterwards. A request that POST /post refuses whatever the accounts are is refused here alike.
         */
        post: operations["checkPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Post history
         * @description Your posts, newest first: a page of 10, or, with `startTime` and `endTime`, all of a range at once. A page past the end is empty.
         */
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add repost rule
         * @description From now on, what is posted to `from` is reposted to every account in `to`. Refused when content could come back to where it started, over chains of any length.
         */
        post: operations["addRepost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete repost rule
         * @description Removes the rule and those of its reposts that have not begun. What has begun finishes.
         */
        post: operations["deleteRepost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause or resume repost rule
         * @description What is posted to the source while the rule is paused is never reposted, not even after resuming. Send `isPaused` or `pause`; they mean the same.
         */
        post: operations["pauseRepost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reposts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List repost rules
         * @description Your rules, newest first.
         */
        get: operations["reposts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an upload
         * @description Begins an upload of known length (tus 1.0, https://tus.io/protocols/resumable-upload). The last part of `Location` is its id, which `POST /post` takes as `uploadId` once all bytes are there. It counts as one request, its pieces do not. Each user may have 5 uploads that no post has used, finished or not, and 2 GiB of them.
         */
        post: operations["createUpload"];
        delete?: never;
        /**
         * Tell what uploads support
         * @description Versions, extensions, largest size and checksum algorithms of tus, as the protocol has it. Needs no key.
         */
        options: operations["uploadAbilities"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an upload
         * @description Removes an upload with its bytes. A post that used it keeps its video.
         */
        delete: operations["deleteUpload"];
        options?: never;
        /**
         * Tell where an upload stands
         * @description Ends a request that still writes to the upload, then answers how many bytes are on disk. While the service starts or stops, the answer is 423 `upload_locked`, never 503: ask by HEAD after `Retry-After` seconds, and go on there. It does not count against the request limit.
         */
        head: operations["getUpload"];
        /**
         * Send a piece of an upload
         * @description Appends bytes. What has arrived stays when the request breaks off, unless the piece has a checksum. While the service starts or stops, the answer is 423 `upload_locked`, never 503: ask by HEAD after `Retry-After` seconds, and go on there. It does not count against the request limit.
         */
        patch: operations["sendUpload"];
        trace?: never;
    };
    "/user/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Key information
         * @description What is known of your API key. Asking with the key counts as a use of it.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/api-key/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate or regenerate key
         * @description Makes your key and shows it this once. A key that you had fails from this moment on. The first key is made with a session, or by `reelay keys create` on the server.
         */
        post: operations["generateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/api-key/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke key
         * @description Every request with the key fails from this moment on. Revoking a revoked key, with a session, succeeds.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            /**
             * Format: uuid
             * @description The same as `id`.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            _id: string;
            /**
             * Format: date-time
             * @description Where the access cannot be renewed for ever: when its owner has to have connected again.
             * @example 2026-08-01T09:30:00.000Z
             */
            accessEndsAt?: string;
            /** @description What the platform wants the owner to choose. */
            choices: {
                /** @description What it is about, for people. */
                label: string;
                /** @example board */
                name: string;
                /** @description Until it is made nothing can be posted. */
                required: boolean;
                /** @description null: not made. */
                value: string | null;
                /** @description What this account may choose from, read when connecting and daily. */
                values: {
                    label: string;
                    value: string;
                }[];
            }[];
            /** @description Why a connected account cannot post, where that is known without asking the platform. */
            detail?: string;
            displayName: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description Name of the social network.
             * @example tiktok
             */
            platform: string;
            /** @description A simulated account. */
            sandbox: boolean;
            /**
             * @description EXPIRED: connect again. REVOKED: access was taken away at the platform.
             * @enum {string}
             */
            status: "CONNECTED" | "EXPIRED" | "REVOKED";
            username: string;
            /** @description Address of our copy of the profile picture, or "". */
            usernameImage: string;
        };
        AddRepost: {
            /**
             * @description Source account.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            from: string;
            /** @description Destination accounts; repeated ones count once. */
            to: string[];
        };
        /** @description What the file is by its own bytes, as it is displayed. */
        CheckedVideo: {
            audioCodec: string | null;
            bytes: number;
            container: string;
            durationMs: number;
            fps: number;
            hdr: boolean;
            height: number;
            videoCodec: string;
            width: number;
        };
        CheckPost: {
            /** @description At most 5,000 characters, and what each account allows. */
            description?: string;
            /**
             * @description Makes a 9:16 video out of another shape: bars around it, or its edges cut off.
             * @enum {string}
             */
            fit?: "pad" | "crop";
            /**
             * @description The text of a JSON object: by name of a platform, or by id of an account, what is asked there alone. `caption` (instead of the description) is known to all; what else a platform knows stands in its page of the documentation. An account’s own field goes before its platform’s.
             * @example {"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}
             */
            options?: string;
            /**
             * @description The text of a JSON array of 1 to 50 ids of accounts, counted before repeated ones are folded. The field may be repeated instead, one id each.
             * @example ["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]
             */
            platforms: string;
            /**
             * @description Seconds into the video at which the thumbnail is taken; 0 when absent.
             * @example 1.5
             */
            previewTime?: string;
            /**
             * @description Unix time in milliseconds, at most 366 days ahead. Absent: posted at once.
             * @example 1785576600000
             */
            scheduled?: string;
            /**
             * @description Instead of the file: a finished upload (see `/uploads`). It serves one post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1d
             */
            uploadId?: string;
            /**
             * Format: binary
             * @description The file, unless `uploadId` or `videoUrl` says where it is. MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.
             */
            video?: string;
            /**
             * @description Instead of the file: a public https address that it is fetched from, within 45 seconds. A slower source is `video_source_slow`: upload the file then.
             * @example https://cdn.example.com/first-light.mp4
             */
            videoUrl?: string;
        };
        CheckReason: {
            /**
             * @description As in refusals and in `message` of FAILED targets; `converted` where a file is made.
             * @example caption_too_long
             */
            code: string;
            /**
             * @description `refused`: POST /post refuses the request. `fails`: the post fails at this account. `waits`: until then. `converted`: another file is made first. `warning`: look at it.
             * @enum {string}
             */
            effect: "refused" | "fails" | "waits" | "converted" | "warning";
            /** @description By how many characters a caption is too long. */
            excess?: number;
            message: string;
            /**
             * Format: date-time
             * @description When a limit has room again, or an access ends.
             * @example 2026-08-01T09:30:00.000Z
             */
            until?: string;
        };
        CheckVerdict: {
            /** @enum {string} */
            outcome: "fits" | "converted" | "waits" | "fails" | "refused";
            platform: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            platformId: string;
            reasons: components["schemas"]["CheckReason"][];
            rendition?: components["schemas"]["Rendition"];
            username: string;
        };
        ConnectAccount: {
            /**
             * @description Id of an account that is to be connected again: a consent of any other is refused.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            account?: string;
            /**
             * @description What the platform wants the owner to choose, by name.
             * @example {
             *       "privacy": "public"
             *     }
             */
            choices?: {
                [key: string]: string;
            };
            /** @description Handle of the account. */
            identifier?: string;
            /** @description Kind of login, where the platform has several. */
            login?: string;
            /** @example tiktok */
            platform: string;
            /** @description At the simulated platform. */
            sandbox?: boolean;
            /** @description App password or bot token. */
            secret?: string;
            /**
             * @description Server that the account lives on, where a platform has many.
             * @example mastodon.social
             */
            service?: string;
        };
        ConnectAttempt: {
            /**
             * Format: uuid
             * @description What support asks for.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            platform: string;
            sandbox: boolean;
            steps: {
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                at: string;
                ok: boolean;
                platformCode?: string;
                platformRequestId?: string;
                /** @description Of the platform’s answer, or of ours. */
                status?: number;
                /** @enum {string} */
                step: "begun" | "consent" | "answer" | "exchange" | "scopes" | "profile" | "choice" | "login" | "stored";
                text: string;
            }[];
        };
        ConnectedAccount: {
            displayName: string;
            /**
             * Format: uuid
             * @description To be used in `platforms`, `from` and `to`. The same after connecting again.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description What is still to be chosen, or could not be. */
            notes: string[];
            platform: string;
            username: string;
        };
        CreatePost: {
            /** @description At most 5,000 characters, and what each account allows. */
            description?: string;
            /**
             * @description Makes a 9:16 video out of another shape: bars around it, or its edges cut off.
             * @enum {string}
             */
            fit?: "pad" | "crop";
            /**
             * @description The text of a JSON object: by name of a platform, or by id of an account, what is asked there alone. `caption` (instead of the description) is known to all; what else a platform knows stands in its page of the documentation. An account’s own field goes before its platform’s.
             * @example {"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}
             */
            options?: string;
            /**
             * @description The text of a JSON array of 1 to 50 ids of accounts, counted before repeated ones are folded. The field may be repeated instead, one id each.
             * @example ["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]
             */
            platforms: string;
            /**
             * @description Seconds into the video at which the thumbnail is taken; 0 when absent.
             * @example 1.5
             */
            previewTime?: string;
            /**
             * @description Unix time in milliseconds, at most 366 days ahead. Absent: posted at once.
             * @example 1785576600000
             */
            scheduled?: string;
            /**
             * @description Instead of the file: a finished upload (see `/uploads`). It serves one post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1d
             */
            uploadId?: string;
            /**
             * Format: binary
             * @description The file, unless `uploadId` or `videoUrl` says where it is. MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.
             */
            video?: string;
            /**
             * @description Instead of the file: a public https address that it is fetched from, within 45 seconds. A slower source is `video_source_slow`: upload the file then.
             * @example https://cdn.example.com/first-light.mp4
             */
            videoUrl?: string;
        };
        DeleteRepost: {
            /**
             * @description The rule.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
        };
        EditAccount: {
            /**
             * @description By name: a value of `GET /accounts/{id}`, or what it is called.
             * @example {
             *       "board": "Recipes"
             *     }
             */
            choices: {
                [key: string]: string;
            };
        };
        EditPost: {
            /** @description As in creating a post. */
            description?: string;
            /** @description Unix time in milliseconds; null: now. */
            scheduled?: number | null;
        };
        Error: {
            code: components["schemas"]["ErrorCode"];
            /** @description With `plan_limit_reached`: the limit that was reached. */
            limit?: {
                /** @enum {string} */
                name: "posts_per_month" | "connected_accounts" | "rules" | "scheduled_ahead";
                /** @description null: it does not reset by itself. */
                resetsAt: string | null;
                used: number;
                value: number;
            };
            /** @description A sentence that a person can act on. */
            message: string;
            /** @description Seconds to wait; with `rate_limited`. */
            retryAfter?: number;
            /** @constant */
            success: false;
        };
        /**
         * @description Stable. New ones may be added.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "unknown_field" | "video_missing" | "several_videos" | "video_unreadable" | "video_too_short" | "video_too_long" | "video_not_vertical" | "video_source_refused" | "video_source_failed" | "video_source_slow" | "preview_time_out_of_range" | "caption_too_long" | "scheduled_in_past" | "scheduled_too_far" | "circular_dependency" | "unauthorized" | "api_access_not_in_plan" | "plan_limit_reached" | "too_many_uploads" | "account_suspended" | "session_required" | "csrf_required" | "https_required" | "operator_required" | "not_found" | "unknown_platform" | "unknown_post" | "unknown_rule" | "unknown_media" | "unknown_upload" | "no_api_key" | "method_not_allowed" | "platform_not_connected" | "setup_needed" | "idempotency_in_progress" | "not_cancellable" | "not_retryable" | "not_editable" | "not_deletable" | "duplicate_rule" | "wrong_offset" | "upload_incomplete" | "upload_used" | "video_gone" | "unsupported_tus_version" | "video_too_large" | "body_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "connect_failed" | "upload_locked" | "rate_limited" | "checksum_mismatch" | "internal_error" | "storage_full" | "storage_unavailable" | "busy" | "database_unavailable" | "starting" | "draining";
        HistoryEntry: {
            /**
             * Format: date-time
             * @description The scheduled time, or when the post was created.
             * @example 2026-08-01T09:30:00.000Z
             */
            date: string;
            description: string;
            /** @description The thumbnail: `GET /media/{filename}`. */
            filename: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description The post that a rule reposted here.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            repostOf?: string;
            /** @description One for each account, in the order in which they were sent. */
            result: components["schemas"]["PostResult"][];
            /** @description Stays true after publication. */
            scheduled: boolean;
        };
        KeyInformation: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
            isActive: boolean;
            /** @description The first 12 characters. The key itself is never shown again. */
            keyPrefix: string;
            /** @description Exact to one minute; null before the first use. */
            lastUsedAt: string | null;
        };
        PauseRepost: {
            /**
             * @description The rule.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description true pauses, false resumes. */
            isPaused?: boolean;
            /** @description The same as `isPaused`. */
            pause?: boolean;
        };
        Platform: {
            /**
             * Format: uuid
             * @description The same as `id`.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            _id: string;
            /**
             * Format: date-time
             * @description Where the access cannot be renewed for ever: when its owner has to have connected again.
             * @example 2026-08-01T09:30:00.000Z
             */
            accessEndsAt?: string;
            /** @description Why a connected account cannot post, where that is known without asking the platform. */
            detail?: string;
            displayName: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description Name of the social network.
             * @example tiktok
             */
            platform: string;
            /** @description A simulated account. */
            sandbox: boolean;
            /**
             * @description EXPIRED: connect again. REVOKED: access was taken away at the platform.
             * @enum {string}
             */
            status: "CONNECTED" | "EXPIRED" | "REVOKED";
            username: string;
            /** @description Address of our copy of the profile picture, or "". */
            usernameImage: string;
        };
        PlatformSetup: {
            /** @description Those that it knows; one is enough. Empty: none is needed. */
            applications: {
                /** @description Under which it is set. */
                name: string;
                source: ("environment" | "stored") | null;
                variables: string[];
            }[];
            /**
             * @description How accounts are connected.
             * @enum {string}
             */
            by: "consent" | "login";
            /** @description Whether accounts can be connected. */
            configured: boolean;
            name: string;
            platform: string;
            /** @description Where an application is registered. */
            portal: string | null;
            /** @description Why it cannot work now: as the service is reached, or with `check` as it is answered. */
            problem: string | null;
            /** @description To be told to the platform, exactly so. */
            redirectUri: string | null;
            /** @description What the platform looks at before others may use it. */
            review: string | null;
            /** @description What is asked for. */
            scopes: string[];
        };
        Post: {
            /**
             * Format: date-time
             * @description The scheduled time, or when the post was created.
             * @example 2026-08-01T09:30:00.000Z
             */
            date: string;
            description: string;
            /** @description The thumbnail: `GET /media/{filename}`. */
            filename: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: uuid
             * @description The post that a rule reposted here.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            repostOf?: string;
            /** @description One for each account, in the order in which they were sent. */
            result: components["schemas"]["PostResult"][];
            /** @description Stays true after publication. */
            scheduled: boolean;
            targets: components["schemas"]["PostTarget"][];
        };
        PostResult: {
            /** @description A sentence about the outcome, with the platform's own code where it gave one. */
            detail?: string;
            /**
             * Format: uuid
             * @description The account.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description With FAILED: the code alone. */
            message?: components["schemas"]["TargetCode"];
            /**
             * @description Name of the social network.
             * @example tiktok
             */
            platform: string;
            /**
             * Format: date-time
             * @description With SUCCESS.
             * @example 2026-08-01T09:30:00.000Z
             */
            publishedAt?: string;
            status: components["schemas"]["PostStatus"];
            /** @description With SUCCESS: the public post, where it has an address. */
            url?: string;
            username: string;
            /** @description Address of our copy of the profile picture, or "". */
            usernameImage: string;
        };
        /**
         * @description PENDING until the platform has confirmed the post; FAILED when it is certain that it will not appear, or the service has stopped trying.
         * @enum {string}
         */
        PostStatus: "PENDING" | "SUCCESS" | "FAILED";
        /** @description A post on one account, with everything that happened to it. */
        PostTarget: {
            /** @description Where it has another than the description. */
            caption?: string;
            /** @description A sentence about the outcome, with the platform's own code where it gave one. */
            detail?: string;
            /** @description With FAILED: the code alone. */
            message?: components["schemas"]["TargetCode"];
            /**
             * Format: date-time
             * @description With PENDING: when something happens next.
             * @example 2026-08-01T09:30:00.000Z
             */
            nextAttemptAt?: string;
            /** @description What was asked of its platform alone. */
            options?: Record<string, never>;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            platformId: string;
            /**
             * Format: date-time
             * @description With SUCCESS.
             * @example 2026-08-01T09:30:00.000Z
             */
            publishedAt?: string;
            /** @description While a file is made that this platform takes: how much of it is made, 0 to 1. */
            rendition?: {
                progress: number;
            };
            status: components["schemas"]["PostStatus"];
            timeline: {
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                at: string;
                event: string;
                /** @description Code and parameters of the text, for other languages. Absent in entries that are older than messages with codes. */
                message?: {
                    code: string;
                    params: Record<string, never>;
                };
                platformCode?: string;
                text: string;
            }[];
            /** @description With SUCCESS: the public post, where it has an address. */
            url?: string;
            /** @description What will stand in the way when its time comes, as far as that is known. */
            warning?: string;
        };
        /** @description What the video becomes: H.264 of that size, rate and most bits a second. */
        Rendition: {
            /** @enum {string} */
            audio: "copy" | "aac" | "silence" | "none";
            /** @constant */
            container: "mp4";
            seconds?: number;
            video: "copy" | {
                fps: number;
                height: number;
                maxRate: number;
                width: number;
            };
        };
        Repost: {
            /**
             * Format: date-time
             * @description When the rule was added.
             * @example 2026-08-01T09:30:00.000Z
             */
            date: string;
            from: components["schemas"]["RepostAccount"];
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            isPaused: boolean;
            to: components["schemas"]["RepostAccount"][];
        };
        RepostAccount: {
            displayName: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            platform: string;
            /** @description As in the list of platforms. */
            status: string;
            username: string;
            usernameImage: string;
        };
        RetryPost: {
            /** @description Needed for `outcome_unknown`: post again even if it cannot be found out whether it is there. */
            acceptDuplicate?: boolean;
            /** @description Accounts; absent: all that failed. */
            platforms?: string[];
        };
        Session: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            expiresAt: string;
        };
        SetApplication: {
            clientId: string;
            clientSecret: string;
        };
        SignedInUser: {
            email: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        SignIn: {
            email: string;
            password: string;
            /** @description false: the session ends with the browser. Default: true. */
            rememberMe?: boolean;
        };
        SignInError: {
            /** @description As in other errors, or one of sign-in alone. */
            code: string;
            message: string;
            /** @constant */
            success: false;
        };
        /**
         * @description Why a target is FAILED. New ones may be added.
         * @enum {string}
         */
        TargetCode: "reconnect_required" | "permission_missing" | "setup_needed" | "video_rejected" | "caption_rejected" | "policy_rejected" | "duplicate_rejected" | "platform_limit_reached" | "platform_unavailable" | "platform_error" | "outcome_unknown" | "plan_limit_reached" | "late_skipped" | "internal_error";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests in the window; absent when limits are off. */
        "RateLimit-Limit": number;
        /** @description Requests left now; absent when limits are off. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the oldest counted request leaves the window; absent when limits are off. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description Names this request in the log of the service. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `unknown_platform`: Connected account not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_platform";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    disconnectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_platform`: Connected account not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_platform";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    editAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditAccount"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_platform`: Connected account not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_platform";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    listAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectAttempt"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "session_required" | "https_required";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    getAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectAttempt"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "session_required" | "https_required";
                    };
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_found";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    connectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectAccount"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What was connected at once. */
                        accounts: components["schemas"]["ConnectedAccount"][];
                        /**
                         * Format: uuid
                         * @description Under this id every step is noted: `GET /accounts/attempts/{id}`.
                         * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                         */
                        attempt: string;
                        /** @constant */
                        success: true;
                        /** @description To be opened in a browser; null: connected already. */
                        url: string | null;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `plan_limit_reached`: You have reached a limit of your plan.
             *
             *     `account_suspended`: This user is suspended.
             *
             *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "plan_limit_reached" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `platform_not_connected`: The account is not connected. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "platform_not_connected";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `connect_failed`: The account could not be connected. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "connect_failed";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, or `null` where there is none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["SignedInUser"];
                    } | null;
                };
            };
            /** @description The request is not well formed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `account_suspended`, `https_required`, or the request comes from the page of another origin. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `internal_error`: something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `database_unavailable`, `starting` or `draining`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The origin of this service. Needed where a cookie is sent; browsers send it by themselves. */
                Origin?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    /** @description The session: `reelay.session_token`, over HTTPS `__Host-reelay.session_token`. */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        redirect: boolean;
                        token: string;
                        user: components["schemas"]["SignedInUser"];
                    };
                };
            };
            /** @description The request is not well formed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `invalid_email_or_password`: the address or the password is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `account_suspended`, `https_required`, or the request comes from the page of another origin. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `body_too_large`: the body is too long. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `unsupported_media_type`: send JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `rate_limited`: too many failed attempts from this address. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `internal_error`: something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `database_unavailable`, `starting` or `draining`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The origin of this service. Needed where a cookie is sent; browsers send it by themselves. */
                Origin?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    /** @description Removes the cookie. */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description The request is not well formed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `account_suspended`, `https_required`, or the request comes from the page of another origin. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `body_too_large`: the body is too long. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `unsupported_media_type`: send JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `internal_error`: something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            /** @description `database_unavailable`, `starting` or `draining`. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    getMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description private, immutable: a name never gets another picture. */
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `unknown_media`: File not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_media";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `storage_unavailable`: The storage is not available.
             *
             *     `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "storage_unavailable" | "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    platforms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Platform"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    listSetup: {
        parameters: {
            query?: {
                /** @description `true`: the hosts of each platform that is set up are asked whether they answer; some seconds. */
                check?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PlatformSetup"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `operator_required`: Only the operator of this service may do this.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "operator_required" | "https_required";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    setApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                /** @description As `applications` of the list names it. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetApplication"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `operator_required`: Only the operator of this service may do this.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "operator_required" | "https_required";
                    };
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_found";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    removeApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `operator_required`: Only the operator of this service may do this.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "operator_required" | "https_required";
                    };
                };
            };
            /** @description `not_found`: Not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_found";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description At most 255 characters of your choice. The same key with the same content within 24 hours gives the first answer again and posts nothing. */
                "Idempotency-Key"?: string;
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CreatePost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description `true` when this is the first answer once more; else absent. */
                    "Idempotent-Replayed"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "historyId": "019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b",
                     *       "scheduled": false,
                     *       "date": "2026-08-01T09:30:00.000Z",
                     *       "result": [
                     *         {
                     *           "platformId": "019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1c",
                     *           "status": "PENDING"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description The scheduled time, or now.
                         * @example 2026-08-01T09:30:00.000Z
                         */
                        date: string;
                        /**
                         * Format: uuid
                         * @description The history entry; also what cancels a scheduled post.
                         * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                         */
                        historyId: string;
                        result: {
                            /**
                             * Format: uuid
                             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                             */
                            platformId: string;
                            /** @constant */
                            status: "PENDING";
                        }[];
                        scheduled: boolean;
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `video_missing`: The video is missing. Send exactly one video in the form field "video".
             *
             *     `several_videos`: Send one video only.
             *
             *     `video_unreadable`: The file is not a readable video.
             *
             *     `video_too_short`: The video is shorter than 3 seconds.
             *
             *     `video_too_long`: The video is longer than 90 seconds.
             *
             *     `video_not_vertical`: The video is not vertical (9:16). Send fit=pad or fit=crop to convert it.
             *
             *     `video_source_refused`: The URL of the video is not allowed. It must be a public https URL.
             *
             *     `video_source_failed`: The video could not be downloaded from its URL.
             *
             *     `video_source_slow`: The download of the video timed out. Upload the file instead.
             *
             *     `preview_time_out_of_range`: previewTime must be between 0 and the length of the video.
             *
             *     `scheduled_in_past`: The scheduled time is in the past.
             *
             *     `scheduled_too_far`: The scheduled time is more than 366 days ahead.
             *
             *     `caption_too_long`: The description is too long for one of the selected platforms.
             *
             *     `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_missing" | "several_videos" | "video_unreadable" | "video_too_short" | "video_too_long" | "video_not_vertical" | "video_source_refused" | "video_source_failed" | "video_source_slow" | "preview_time_out_of_range" | "scheduled_in_past" | "scheduled_too_far" | "caption_too_long" | "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `plan_limit_reached`: You have reached a limit of your plan.
             *
             *     `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "plan_limit_reached" | "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /**
             * @description `unknown_upload`: Upload not found.
             *
             *     `unknown_platform`: Connected account not found.
             */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_upload" | "unknown_platform";
                    };
                };
            };
            /**
             * @description `upload_incomplete`: The upload is incomplete.
             *
             *     `upload_used`: The upload is already used by a post.
             *
             *     `platform_not_connected`: The account is not connected.
             *
             *     `setup_needed`: A required setting of the account is missing. Its owner must choose it before posting.
             *
             *     `idempotency_in_progress`: A request with this Idempotency-Key is still in progress.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "upload_incomplete" | "upload_used" | "platform_not_connected" | "setup_needed" | "idempotency_in_progress";
                    };
                };
            };
            /**
             * @description `video_too_large`: The video is larger than 524,288,000 bytes.
             *
             *     `body_too_large`: The JSON body is larger than 1 MiB.
             */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_too_large" | "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `idempotency_key_reused`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "idempotency_key_reused";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `storage_full`: There is not enough free disk space to store a video.
             *
             *     `storage_unavailable`: The storage is not available.
             *
             *     `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "storage_full" | "storage_unavailable" | "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    getPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Post"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `unknown_post`: Post not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_post";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    deletePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Says that the post stays on the platforms. */
                        message: string;
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_post`: Post not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_post";
                    };
                };
            };
            /** @description `not_deletable`: The post is still in progress. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_deletable";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    editPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditPost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Post"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `caption_too_long`: The description is too long for one of the selected platforms.
             *
             *     `scheduled_in_past`: The scheduled time is in the past.
             *
             *     `scheduled_too_far`: The scheduled time is more than 366 days ahead.
             *
             *     `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "caption_too_long" | "scheduled_in_past" | "scheduled_too_far" | "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `plan_limit_reached`: You have reached a limit of your plan.
             *
             *     `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "plan_limit_reached" | "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_post`: Post not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_post";
                    };
                };
            };
            /** @description `not_editable`: The post has already started. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_editable";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    retryPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryPost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Post"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `plan_limit_reached`: You have reached a limit of your plan.
             *
             *     `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "plan_limit_reached" | "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /**
             * @description `unknown_post`: Post not found.
             *
             *     `unknown_platform`: Connected account not found.
             */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_post" | "unknown_platform";
                    };
                };
            };
            /** @description `not_retryable`: No part of this post can be retried. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_retryable";
                    };
                };
            };
            /** @description `video_gone`: The video is no longer stored. */
            410: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_gone";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    cancelSchedule: {
        parameters: {
            query: {
                /** @description The `historyId` of the scheduled post. */
                id: string;
            };
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_post`: Post not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_post";
                    };
                };
            };
            /** @description `not_cancellable`: The post is not scheduled, or has already started. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "not_cancellable";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    checkPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CheckPost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description The scheduled time, or now.
                         * @example 2026-08-01T09:30:00.000Z
                         */
                        date: string;
                        /** @description What stands against the whole post, such as a plan that is used up. */
                        reasons: components["schemas"]["CheckReason"][];
                        /** @description One for each account, in the order sent. */
                        result: components["schemas"]["CheckVerdict"][];
                        scheduled: boolean;
                        /** @constant */
                        success: true;
                        video: components["schemas"]["CheckedVideo"];
                    };
                };
            };
            /**
             * @description `video_missing`: The video is missing. Send exactly one video in the form field "video".
             *
             *     `several_videos`: Send one video only.
             *
             *     `video_unreadable`: The file is not a readable video.
             *
             *     `video_too_short`: The video is shorter than 3 seconds.
             *
             *     `video_too_long`: The video is longer than 90 seconds.
             *
             *     `video_not_vertical`: The video is not vertical (9:16). Send fit=pad or fit=crop to convert it.
             *
             *     `video_source_refused`: The URL of the video is not allowed. It must be a public https URL.
             *
             *     `video_source_failed`: The video could not be downloaded from its URL.
             *
             *     `video_source_slow`: The download of the video timed out. Upload the file instead.
             *
             *     `preview_time_out_of_range`: previewTime must be between 0 and the length of the video.
             *
             *     `scheduled_in_past`: The scheduled time is in the past.
             *
             *     `scheduled_too_far`: The scheduled time is more than 366 days ahead.
             *
             *     `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_missing" | "several_videos" | "video_unreadable" | "video_too_short" | "video_too_long" | "video_not_vertical" | "video_source_refused" | "video_source_failed" | "video_source_slow" | "preview_time_out_of_range" | "scheduled_in_past" | "scheduled_too_far" | "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /**
             * @description `unknown_upload`: Upload not found.
             *
             *     `unknown_platform`: Connected account not found.
             */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_upload" | "unknown_platform";
                    };
                };
            };
            /**
             * @description `upload_incomplete`: The upload is incomplete.
             *
             *     `upload_used`: The upload is already used by a post.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "upload_incomplete" | "upload_used";
                    };
                };
            };
            /**
             * @description `video_too_large`: The video is larger than 524,288,000 bytes.
             *
             *     `body_too_large`: The JSON body is larger than 1 MiB.
             */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_too_large" | "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `storage_full`: There is not enough free disk space to store a video.
             *
             *     `storage_unavailable`: The storage is not available.
             *
             *     `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "storage_full" | "storage_unavailable" | "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    listHistory: {
        parameters: {
            query?: {
                /** @description Unix milliseconds, inclusive; with `startTime`. */
                endTime?: number;
                /** @description From 1, which is also the default. */
                page?: number;
                /** @description Unix milliseconds, inclusive; with `endTime`. */
                startTime?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["HistoryEntry"][];
                        /** @constant */
                        success: true;
                        /** @description How many entries there are, in the range where one is given. */
                        total: number;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    addRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddRepost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                         */
                        id: string;
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `circular_dependency`: Circular dependency
             *
             *     `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "circular_dependency" | "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `plan_limit_reached`: You have reached a limit of your plan.
             *
             *     `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "plan_limit_reached" | "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_platform`: Connected account not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_platform";
                    };
                };
            };
            /**
             * @description `platform_not_connected`: The account is not connected.
             *
             *     `duplicate_rule`: A rule already reposts from this source to one of the destinations.
             */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "platform_not_connected" | "duplicate_rule";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    deleteRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteRepost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_rule`: Rule not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_rule";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    pauseRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseRepost"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_rule`: Rule not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_rule";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    reposts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Repost"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description Bytes of the video, at most 524,288,000. */
                "Upload-Length": number;
                /** @description Keys with base64 values, separated by commas. `filename` is the name of the file; `sha256` has the 64 hexadecimal digits of the whole, which are compared when the last byte is there. */
                "Upload-Metadata"?: string;
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description Path of the upload. */
                    Location: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    /** @description When the upload is removed unless a post uses it. */
                    "Upload-Expires": string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `too_many_uploads`: Unused uploads are limited to 5, and to 2 GiB in total. Post or delete one first.
             *
             *     `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "too_many_uploads" | "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unsupported_tus_version`: Unsupported tus version. Send the header Tus-Resumable: 1.0.0. */
            412: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_tus_version";
                    };
                };
            };
            /** @description `video_too_large`: The video is larger than 524,288,000 bytes. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_too_large";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `storage_full`: There is not enough free disk space to store a video.
             *
             *     `storage_unavailable`: The storage is not available.
             *
             *     `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "storage_full" | "storage_unavailable" | "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    uploadAbilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    /** @description Algorithms for `Upload-Checksum`. */
                    "Tus-Checksum-Algorithm": string;
                    /** @description Extensions, separated by commas. */
                    "Tus-Extension": string;
                    /** @description Most bytes of an upload. */
                    "Tus-Max-Size": number;
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `https_required`: Use HTTPS. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "https_required";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "starting" | "draining";
                    };
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_upload`: Upload not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_upload";
                    };
                };
            };
            /** @description `unsupported_tus_version`: Unsupported tus version. Send the header Tus-Resumable: 1.0.0. */
            412: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_tus_version";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the protocol. */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    /** @description When the upload is removed unless a post uses it. */
                    "Upload-Expires": string;
                    /** @description Bytes of the whole. */
                    "Upload-Length": number;
                    /** @description As it was sent when the upload was created. */
                    "Upload-Metadata"?: string;
                    /** @description Bytes that are on disk. */
                    "Upload-Offset": number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unknown_upload`: Upload not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unsupported_tus_version`: Unsupported tus version. Send the header Tus-Resumable: 1.0.0. */
            412: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `upload_locked`: Another request is writing to this upload. */
            423: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Version of the protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description Algorithm and hash of the piece in base64, `sha256 …` or `sha1 …`. */
                "Upload-Checksum"?: string;
                /** @description Where the piece begins: where the upload stands. */
                "Upload-Offset": number;
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description All bytes of the piece are on disk. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    /** @description When the upload is removed unless a post uses it. */
                    "Upload-Expires": string;
                    /** @description Bytes that are on disk. */
                    "Upload-Offset": number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `unknown_upload`: Upload not found. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unknown_upload";
                    };
                };
            };
            /** @description `wrong_offset`: Upload-Offset does not match the current offset. */
            409: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "wrong_offset";
                    };
                };
            };
            /** @description `unsupported_tus_version`: Unsupported tus version. Send the header Tus-Resumable: 1.0.0. */
            412: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_tus_version";
                    };
                };
            };
            /** @description `video_too_large`: The video is larger than 524,288,000 bytes. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "video_too_large";
                    };
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not supported. */
            415: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description `upload_locked`: Another request is writing to this upload. */
            423: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "upload_locked";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `checksum_mismatch`: The data does not match its checksum. */
            460: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "checksum_mismatch";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `storage_full`: There is not enough free disk space to store a video.
             *
             *     `storage_unavailable`: The storage is not available.
             *
             *     `database_unavailable`: The database is not available.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "storage_full" | "storage_unavailable" | "database_unavailable";
                    };
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "keyPrefix": "rly_7Gh2kQ0x",
                     *         "isActive": true,
                     *         "lastUsedAt": "2026-08-01T09:30:00.000Z",
                     *         "createdAt": "2026-07-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["KeyInformation"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description `invalid_request`: The request is invalid. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "https_required";
                    };
                };
            };
            /** @description `no_api_key`: No API key has been generated yet. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "no_api_key";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    generateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": "rly_7Gh2kQ0xV5mN8pRtYw3zA6bC9dE1fJ4hK2lM7nP04KtRjt"
                     *     }
                     */
                    "application/json": {
                        /** @description The key. */
                        data: string;
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`; needed with a session, meaningless with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /**
             * @description `invalid_request`: The request is invalid.
             *
             *     `unknown_field`: The request contains an unknown field.
             */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request" | "unknown_field";
                    };
                };
            };
            /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
            /**
             * @description `account_suspended`: This user is suspended.
             *
             *     `api_access_not_in_plan`: Your plan does not include API keys.
             *
             *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
             *
             *     `https_required`: Use HTTPS.
             */
            403: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "account_suspended" | "api_access_not_in_plan" | "csrf_required" | "https_required";
                    };
                };
            };
            /** @description `no_api_key`: No API key has been generated yet. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "no_api_key";
                    };
                };
            };
            /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
            413: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
            /** @description `internal_error`: Internal error. Try again later. */
            500: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
            /**
             * @description `database_unavailable`: The database is not available.
             *
             *     `starting`: The service is starting.
             *
             *     `draining`: The service is shutting down.
             */
            503: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
}
