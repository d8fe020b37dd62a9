// Made by scripts/generate-sdk.mjs from docs/openapi.json. Run it again instead of editing.
export interface paths {
    "/account-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your account groups
         * @description Accounts that you select together, oldest group first. Disconnected accounts are left out. Requires a session.
         */
        get: operations["listAccountGroups"];
        /**
         * Save an account group
         * @description Adds a group, or replaces the accounts of your group of this name. At most 50 groups. Requires a session.
         */
        put: operations["saveAccountGroup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account-groups/{id}": {
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
         * Delete an account group
         * @description Deletes the group. Its accounts stay connected. Requires a session.
         */
        delete: operations["deleteAccountGroup"];
        options?: never;
        head?: never;
        /**
         * Rename an account group
         * @description Changes the name. Another group of yours with the new name is deleted. Requires a session.
         */
        patch: operations["renameAccountGroup"];
        trace?: never;
    };
    "/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account
         * @description A connected account with its settings and their possible values.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Disconnect an account
         * @description Posts that have not started on the account become FAILED with `reconnect_required`; those that have started end with their real outcome. Rules with this source are deleted. If no other account uses the access, it is revoked at the platform. Requires a session.
         */
        delete: operations["disconnectAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account’s settings
         * @description Settings that are not sent stay unchanged. The new settings apply to scheduled posts, but not to posts that have started. Requires a session.
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
         * Connect attempts
         * @description Your latest 20 connect attempts of the last 30 days, newest first, with their steps and the platform’s own messages. Requires a session.
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
         * One connect attempt
         * @description Returns your own attempts; the operator can read those of all users. Requires a session.
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
         * @description For most platforms, returns a URL to open once within ten minutes, in a browser in which the same user is signed in. The page names the user and asks for confirmation before it redirects to the platform. The account is connected when its owner has confirmed on both pages. With a `secret` (an app password or a bot token), it is connected immediately. Requires a session.
         */
        post: operations["connectAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/connect-sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect simulated accounts
         * @description Connects one simulated account on every platform where you have none yet, or another one on the given platform, without consent pages. At most 30 requests an hour. Requires a session, and the sandbox.
         */
        post: operations["connectSandbox"];
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
         * @description Returns the session and user of the cookie, or `null`.
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
         * @description Returns a session in a cookie. Send the cookie with every request. Requests with side effects also require the header `X-Reelay-CSRF: 1`. If the user has a second factor, the response is 403 `second_factor_required` with a cookie. Complete the sign-in within 10 minutes: send the cookie and `{"code": "…"}` to `POST /api/auth/two-factor/verify-totp` or `…/verify-backup-code`.
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
    "/dashboard/accounts/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an account from its platform
         * @description Reads name, picture, limits and possible settings now instead of at the next daily refresh. If the platform does not respond, was asked less than a minute ago, or allows the service no more requests today, the stored values are returned. Requires a session.
         */
        post: operations["refreshAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Posts between two moments
         * @description Your posts whose `date`, or whose publication on an account, is between two moments, newest first by `date`. Requires a session.
         */
        get: operations["listCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/captions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Length of a caption on each account
         * @description Counts a description, or the caption of an account’s own, as each platform counts it. Needs no video. Stores nothing. Requires a session.
         */
        post: operations["countCaptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notifications
         * @description One notification for each kind and post or account, last changed first, of the kinds that your settings show in the dashboard. They are kept for 90 days, or 30 days once read. Requires a session.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Marks one notification, or with `all` also every earlier one that GET /dashboard/notifications lists. What happened after it stays unread. An unknown id changes nothing. Requires a session.
         */
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/notifications/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Number of unread notifications
         * @description Counts what GET /dashboard/notifications lists as unread. Requires a session.
         */
        get: operations["countNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search posts
         * @description Your posts, newest first by `date`. A post matches if it matches every filter that is sent. With `accountId` and `status`, the post on that account has that status. Requires a session.
         */
        get: operations["searchPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/posts/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a scheduled post to the drafts
         * @description Cancels a scheduled post that has not started, and adds a draft with its texts, accounts, time, cover and video. Either both happen or nothing. Requires a session.
         */
        post: operations["moveToDrafts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/posts/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The preview of a post's video
         * @description The preview of a post, once it is made. A response to `Range` has at most 4 MiB. Requires a session.
         */
        get: operations["getPostPreview"];
        put?: never;
        /**
         * Make a preview of a post's video
         * @description As `orderUploadPreview`, for the stored video of a post. Requires a session.
         */
        post: operations["orderPostPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/posts/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a post's video
         * @description Copies the stored video of a post to a finished upload, which one new post can use as `uploadId` within 24 hours. Requires a session.
         */
        post: operations["copyVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/posts/{id}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A post's video
         * @description The stored video of a post, as it was uploaded. A response to `Range` has at most 4 MiB. Requires a session.
         */
        get: operations["getPostVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/uploads/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The preview of an uploaded video
         * @description The preview of an upload, once it is made. A response to `Range` has at most 4 MiB. Requires a session.
         */
        get: operations["getUploadPreview"];
        put?: never;
        /**
         * Make a preview of an uploaded video
         * @description Makes a small version of the video of a finished upload that every browser plays, unless it exists. Send the request again to read its progress. The last 20 previews of a user are kept for a week. Requires a session.
         */
        post: operations["orderUploadPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/uploads/{id}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An uploaded video
         * @description The video of a finished upload that no post has used. A response to `Range` has at most 4 MiB. Requires a session.
         */
        get: operations["getUploadVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your drafts
         * @description Posts that you prepare, changed last first. Requires a session.
         */
        get: operations["listDrafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One draft
         * @description Returns all that is stored of a draft. Requires a session.
         */
        get: operations["getDraft"];
        /**
         * Save a draft
         * @description Adds a draft, or replaces the version that you read. You choose the id. A post that is created with this id as its `Idempotency-Key` deletes the draft. The video is kept for 30 days after each save and counts as an unused upload. At most 100 drafts. Requires a session.
         */
        put: operations["saveDraft"];
        post?: never;
        /**
         * Delete a draft
         * @description Deletes the draft and its video, unless another draft has the same video. Requires a session.
         */
        delete: operations["deleteDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live updates
         * @description Server-sent events that tell what has changed. They contain ids only: read the resource again.
         *
         *     - `{"type":"post","id":"…"}`, also when it was deleted; `account` and `rule` likewise.
         *     - `{"type":"resync"}`: changes may have been missed. Read everything again that is shown. It is the first event, and is repeated after an interruption in the service.
         *
         *     New types may be added. A comment is sent at least every 20 seconds. The stream ends with the session and when the service stops. A user can have 12 streams; a further one ends the oldest. Requires a session.
         */
        get: operations["liveEvents"];
        put?: never;
        post?: never;
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
         * @description The picture referenced by `filename` of a history entry or by `usernameImage`. Only your own.
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
    "/operator/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audit log
         * @description Who changed what, newest first. Requires a session of the operator.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the installation
         * @description Runs the checks of `reelay doctor` in this process. They write and delete a test file, and call the platforms that are set up. Takes several seconds. Requires a session of the operator.
         */
        post: operations["runDoctor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queues and workers
         * @description What is due, what finished in the last hour, and which workers run. Requires a session of the operator.
         */
        get: operations["getQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sandbox
         * @description The simulated platforms, and the faults that are switched on. Requires a session of the operator.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Inject faults
         * @description Replaces the faults of all simulated platforms. They apply until they are replaced, in every process within a second. Requires a session of the operator.
         */
        put: operations["setSandboxFaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/sandbox/phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post from the phone
         * @description Posts to a simulated account as its owner would with the platform's own app, without Reelay. The account is created if the platform does not have it. The file must be the last field. Requires a session of the operator.
         */
        post: operations["postFromPhone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/sandbox/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Posts on the simulated platforms
         * @description What the simulated platforms show, newest first. Requires a session of the operator.
         */
        get: operations["listSandboxPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the sandbox
         * @description Deletes all posts, videos and accounts of the simulated platforms, of every user, and switches faults off. Connected simulated accounts lose their access. Requires a session of the operator.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/setup/{platform}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How to set up a platform
         * @description What to do at the platform, what is set, and what depends on it. Secrets are never returned. Requires a session of the operator.
         */
        get: operations["getPlatformSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/setup/{platform}/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an application
         * @description Asks the platform whether it accepts an id and a secret, before they are stored, or those that are set. Nothing is stored. Requires a session of the operator.
         */
        post: operations["checkApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Storage
         * @description What is stored, how much space is free, and the limits. Requires a session of the operator.
         */
        get: operations["getStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description All users with plan, usage and state, newest first. Requires a session of the operator.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a user's plan
         * @description Existing data beyond the limits of the new plan stays; nothing further is accepted. Requires a session of the operator.
         */
        put: operations["setUserPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a user
         * @description Accepts requests of a suspended user again. Requires a session of the operator.
         */
        post: operations["resumeUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a user
         * @description Rejects all further requests of the user and ends the sessions. Scheduled posts are still published. Requires a session of the operator.
         */
        post: operations["suspendUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Supported platforms
         * @description What each platform accepts, how its accounts are connected, and whether they can be connected now.
         */
        get: operations["listCatalog"];
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
         * @description Lists your connected accounts in the order in which they were connected.
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
         * Platform configuration
         * @description For the operator: applications, redirect URIs and scopes. Secrets are never returned.
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
         * @description For the operator: stores the id and secret of an application registered at a platform, encrypted. Environment variables take precedence. Other nodes use it within fifteen seconds.
         */
        put: operations["setApplication"];
        post?: never;
        /**
         * Remove an application
         * @description For the operator: removes a stored application. The access of accounts connected with it can no longer be refreshed.
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
         * @description Uploads one video and queues it for one or more of your accounts, immediately or at a scheduled time. The response is sent when the video is stored, checked and queued; it does not wait for any platform. Form fields may come before or after the file.
         */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post-forms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The form for an account’s post options
         * @description Describes how to ask a person for the options of a post on this account: labels, allowed values, questions that the platform requires for every post, and declarations.
         */
        get: operations["getPostForm"];
        put?: never;
        post?: never;
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
         * @description A history entry with its timeline on each account.
         */
        get: operations["getPost"];
        put?: never;
        post?: never;
        /**
         * Delete a post from the history
         * @description Deletes a finished post and its files from the history. The post stays on the platforms; delete it there if needed.
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        /**
         * Edit a post
         * @description Changes a post that has not started on any account: its texts, time, accounts, options, cover and video. Fields that are absent do not change. If one change is refused, none is made. A repost keeps the video and the accounts of its rule.
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
         * Retry failed accounts
         * @description Retries the FAILED accounts of a post, which become PENDING. Accounts that failed before the scheduled time wait for it; others start at once. This does not count towards the plan. If the platform may already have the post (`outcome_unknown`), this is verified again before anything is sent.
         */
        post: operations["retryPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop trying
         * @description Ends PENDING accounts of a post, within moments. What was not sent, or provably had no effect, becomes FAILED `stopped`. Another one is verified once more: it becomes SUCCESS, or FAILED `outcome_unknown`. The post still counts towards the plan.
         */
        post: operations["stopTrying"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/post/{id}/try-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again now
         * @description Moves the next attempt of accounts with `trouble` to now, each at most once in 30 seconds. Nothing else changes: an unknown outcome is verified before anything is sent.
         */
        post: operations["tryNow"];
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
         * @description Permanently deletes a scheduled post and its video, if the post has not started. Repeating the request within a day succeeds.
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
         * @description Takes the same fields as POST /post and returns what would happen on each account: whether the video fits or is converted, and why; problems of the caption or the options; limits that are reached, and until when; whether the access ends earlier. Nothing is posted, stored or counted, and an upload can still be posted afterwards. A request that POST /post rejects regardless of the accounts is rejected here as well.
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
         * @description Your posts, newest first: a page of 10, or all posts between `startTime` and `endTime`. A page after the last one is empty.
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
    "/repost/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the options of a rule
         * @description Options that are not sent stay unchanged; null resets one. The new options also apply to what is waiting, but not to reposts that were made.
         */
        patch: operations["editRepost"];
        trace?: never;
    };
    "/repost/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Activity of a rule
         * @description Every item that the rule saw on its source, newest first, and what happened to it. Kept for 90 days.
         */
        get: operations["repostActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/{id}/activity/{itemId}/repost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repost an item by hand
         * @description Reposts a skipped item, or releases a waiting one now, regardless of the filters, times and limits of the rule, also while it is paused. Posts that are not public and posts without a file stay refused.
         */
        post: operations["repostItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/{id}/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Back catalog of a rule
         * @description Reads a page of posts on the source from the platform, newest first, also those from before the rule. To repost some of them, send their ids as `backCatalog` in the options of the rule. Platforms that keep no older posts return none.
         */
        get: operations["repostCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a rule
         * @description A dry run of the rule over the last 20 known items of its source, as if they were posted now. `options` are merged with those of the rule, to try changes. Changes nothing.
         */
        post: operations["previewRule"];
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
         * @description Reposts every future post on `from` to every account in `to`. Rejected if posts could return to their source through a chain of rules.
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
         * @description Deletes the rule and its reposts that have not started. Reposts that have started are finished.
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
         * @description Posts on the source while the rule is paused are never reposted, even after it is resumed, unless `between` is "keep". `isPaused` and `pause` have the same meaning; send one of them.
         */
        post: operations["pauseRepost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repost/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a new rule
         * @description What a rule would do, without adding it: warnings, the caption on each destination, and a dry run over the latest known items of the source. Changes nothing.
         */
        post: operations["previewRepost"];
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
         * @description Lists your rules, newest first.
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
    "/sign-in/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ways to sign in
         * @description What a visitor can do before signing in. The response is the same for every visitor of a public service.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snippets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your snippets
         * @description Texts that you often insert into captions, oldest first. Requires a session.
         */
        get: operations["listSnippets"];
        /**
         * Save a snippet
         * @description Adds a snippet, or replaces the text of your snippet of this name. At most 50 snippets. Requires a session.
         */
        put: operations["saveSnippet"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snippets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Edit a snippet
         * @description Replaces the name and the text. Another snippet of yours with the new name is deleted. Requires a session.
         */
        put: operations["editSnippet"];
        post?: never;
        /**
         * Delete a snippet
         * @description Deletes the snippet. Captions that contain its text do not change. Requires a session.
         */
        delete: operations["deleteSnippet"];
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
         * @description Creates an upload of known length (tus 1.0, https://tus.io/protocols/resumable-upload). The last part of `Location` is its id. Send it to `POST /post` as `uploadId` when all bytes are uploaded. Creating the upload counts as one request; its pieces do not count. Each user may have 5 uploads that no post has used, finished or not, and 2 GiB in total.
         */
        post: operations["createUpload"];
        delete?: never;
        /**
         * Upload capabilities
         * @description tus versions, extensions, maximum size and checksum algorithms, as defined by the protocol. Requires no key.
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
         * @description Deletes an upload and its data. An upload that a post used is 410 `upload_used`: the post keeps its video.
         */
        delete: operations["deleteUpload"];
        options?: never;
        /**
         * Current offset of an upload
         * @description Ends any request that still writes to the upload, then returns the number of bytes on disk. While the service starts or stops, the response is 423 `upload_locked`, never 503: read the offset with HEAD after `Retry-After` seconds and continue there. The request does not count towards the rate limit, but a user may send 1,000 of them in ten seconds.
         */
        head: operations["getUpload"];
        /**
         * Append to an upload
         * @description Appends bytes. If the request is interrupted, the received bytes are kept, unless the piece has a checksum. While the service starts or stops, the response is 423 `upload_locked`, never 503: read the offset with HEAD after `Retry-After` seconds and continue there. The request does not count towards the rate limit, but a user may send 1,000 of them in ten seconds.
         */
        patch: operations["sendUpload"];
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed-in user
         * @description Your settings, your plan, and how much of its limits you have used. Requires a session.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your settings
         * @description Settings that are not sent stay unchanged. Requires a session.
         */
        patch: operations["editUser"];
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
         * @description Information about your API key. A request with the key counts as a use.
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
         * @description Creates your key and returns it once. A previous key is revoked immediately. The first key is created with a session, or with `reelay keys create` on the server.
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
         * @description Revokes the key immediately. With a session, revoking a revoked key succeeds.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your devices and chats for notifications
         * @description Oldest first. Addresses and tokens are not shown again. Requires a session.
         */
        get: operations["listNotificationChannels"];
        put?: never;
        /**
         * Add a device or chat for notifications
         * @description A browser that is added again replaces its earlier entry. The address must be public and use https. At most 10. Requires a session.
         */
        post: operations["addNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notification-channels/{id}": {
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
         * Remove a device or chat for notifications
         * @description Nothing more is sent to it. Requires a session.
         */
        delete: operations["deleteNotificationChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notification-channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification
         * @description Sends a message at once, also in quiet hours. If it is not delivered, `failure` says why. A channel that was stopped works again once a test is delivered. A device that its push service no longer knows is removed. At most 20 tests in an hour. Requires a session.
         */
        post: operations["testNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Settings of notifications
         * @description Where each kind of notification is delivered: in the dashboard, by mail, and to your devices and chats. Requires a session.
         */
        get: operations["getNotificationSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of notifications
         * @description Changes where one kind is delivered, or the quiet hours. What is not sent stays unchanged. Requires a session.
         */
        patch: operations["editNotificationSettings"];
        trace?: never;
    };
    "/user/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your passkeys
         * @description Passkeys that sign you in, oldest first. Requires a session.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Changes the name that you see in the list. Requires a session.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/user/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your second factor
         * @description Whether you have a second factor, and how many backup codes are left. Requires a session.
         */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sessions
         * @description Where you are signed in, last used first. Requires a session.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/{id}": {
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
         * End a session
         * @description Signs out one of your sessions, from the next request on. Requires a session.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/revoke-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all other sessions
         * @description Signs out all your sessions except the one of this request. Requires a session.
         */
        post: operations["revokeOtherSessions"];
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
            /** @description The access to the platform; null if it has ended. */
            access: {
                /** @description null: it does not end, or this is unknown. */
                endsAt: string | null;
                /** @description Whether Reelay renews it before. If not, the owner must reconnect the account before then. */
                renewed: boolean;
            } | null;
            /**
             * Format: date-time
             * @description When the access ends, if it cannot be refreshed indefinitely. Its owner must reconnect before then.
             * @example 2026-08-01T09:30:00.000Z
             */
            accessEndsAt?: string;
            /** @description When the account was last read from its platform, which happens daily. */
            checkedAt: string | null;
            /** @description Settings that the owner chooses. */
            choices: {
                /** @description What the setting decides, as part of a sentence. */
                label: string;
                /** @example board */
                name: string;
                /** @description Whether it must be set before posting. */
                required: boolean;
                /** @description The label of its field; null: use `label`. */
                title: components["schemas"]["FormText"] | null;
                /** @description null if not set. */
                value: string | null;
                /** @description The values that this account allows. Read when it is connected, and daily. */
                values: {
                    label: string;
                    /** @description By language; null: use `label`. */
                    title: components["schemas"]["FormText"] | null;
                    value: string;
                }[];
            }[];
            /** @description Why a connected account cannot post, if this is known without a request to the platform. */
            detail?: string;
            /** @description What would be lost if the account was disconnected now. */
            disconnecting: {
                /** @description Rules that would lose one of their destinations. */
                changedRules: number;
                /** @description Scheduled posts that would fail on this account. */
                posts: number;
                /** @description Rules that would be deleted. */
                rules: number;
            };
            displayName: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The platform.
             * @example tiktok
             */
            platform: string;
            /** @description Posts that the platform still accepts today; null without such a limit. */
            postsLeft: {
                /** @description When posts are possible again; null while some are left. */
                freeAt: string | null;
                left: number;
                /** @description Posts per day. The operator’s users may share it. */
                limit: number;
            } | null;
            /** @description A simulated account. */
            sandbox: boolean;
            /**
             * @description EXPIRED: reconnect the account. REVOKED: the access was revoked at the platform.
             * @enum {string}
             */
            status: "CONNECTED" | "EXPIRED" | "REVOKED";
            username: string;
            /** @description URL of the stored copy of the profile picture, or "". */
            usernameImage: string;
            /** @description What is wrong while posts to the account still work: rules do not see its new posts, or its access cannot be renewed (`access_not_renewed`). */
            warnings: {
                /** @description Stable. New codes may be added. */
                code: string;
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                since?: string;
                text: string;
            }[];
        };
        AccountGroup: {
            /** @description Ids of connected accounts, in the order in which they were saved. */
            accounts: string[];
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @example Main channels */
            name: string;
        };
        AddNotificationChannel: {
            /**
             * @description The id of the chat with the bot, or the name of a public channel.
             * @example 123456789
             */
            chatId?: string;
            /** @description `push`: the keys of the subscription, base64url. */
            keys?: {
                auth: string;
                p256dh: string;
            };
            kind: components["schemas"]["NotificationChannelKind"];
            /**
             * @description Shown in your list.
             * @example My phone
             */
            name: string;
            /** @description `push`: an earlier endpoint of the same browser, whose channel is removed. Its name is kept. */
            replaces?: string;
            /** @description An access token, if the `ntfy` topic needs one; or the token of the bot. */
            token?: string;
            /**
             * @description `push`: the endpoint of the subscription. `ntfy`: the address of the topic. `discord`, `slack`: the address of the webhook.
             * @example https://ntfy.sh/my-topic
             */
            url?: string;
        };
        AddRepost: {
            /**
             * @description Source account.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            from: string;
            options?: components["schemas"]["RuleOptions"];
            /** @description Destination accounts. Duplicates are ignored. */
            to: string[];
        };
        ApplicationCheck: {
            /** @description With the platform’s own words. */
            message: string;
            /**
             * @description `verified` only if the platform’s response proves the id and the secret.
             * @enum {string}
             */
            verdict: "verified" | "rejected" | "unverified";
        };
        AuditEntry: {
            /** @example key.generate */
            action: string;
            /**
             * @description How the request was made: `session`, `key`, `command line` or `visitor`.
             * @example session
             */
            actor: string;
            /** @description IP address of the client, if known. */
            address: string | null;
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            at: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description What was changed: an id or a name, never a secret. */
            subject: string;
            /** @description Email address, if the subject is a user. */
            subjectEmail: string | null;
            /** @description Whose request it was, or who is affected; null for unknown and deleted users. */
            user: {
                /** @description null if the user was deleted. */
                email: string | null;
                /**
                 * Format: uuid
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                 */
                id: string;
            } | null;
        };
        CaptionCount: {
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            length: number;
            limit: number;
            /** @description Why the platform rejects the caption. */
            problem: string | null;
            /** @enum {string} */
            unit: "characters" | "bytes";
        };
        CheckApplication: {
            /** @description null: the id and the secret that are set. */
            application: {
                clientId: string;
                clientSecret: string;
            } | null;
        };
        /** @description Properties of the video, read from its content, as displayed. */
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
            /**
             * @description With `fit=crop`: which part of the picture stays, from 0 (the left or the top) to 1 (the right or the bottom). Default: 0.5, the middle.
             * @example 0.25
             */
            cropPosition?: string;
            /** @description At most 5,000 characters. The limits of each account apply as well. */
            description?: string;
            /**
             * @description Converts a video of another shape to 9:16: `pad` adds black bars, `blur` fills them with the blurred video, `crop` cuts off the edges.
             * @enum {string}
             */
            fit?: "pad" | "blur" | "crop";
            /**
             * @description A JSON object with options by platform name or account id. Every platform supports `caption`, which replaces the description; see the documentation of each platform for others. Options of an account override options of its platform.
             * @example {"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}
             */
            options?: string;
            /**
             * @description A JSON array of 1 to 50 account ids, including duplicates, which are ignored. Alternatively, repeat the field with one id each.
             * @example ["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]
             */
            platforms: string;
            /**
             * @description Position of the thumbnail in what is posted, in seconds. Default: 0.
             * @example 1.5
             */
            previewTime?: string;
            /**
             * @description Unix time in milliseconds, at most 366 days ahead. If absent, the video is posted immediately.
             * @example 1785576600000
             */
            scheduled?: string;
            /**
             * @description The end of the part, in seconds from the start of the video. Default: the end of the video.
             * @example 35.5
             */
            trimEnd?: string;
            /**
             * @description Posts only a part of the video: its start, in seconds. The part may last 3 to 90 seconds, the video up to 10 minutes. Default: 0.
             * @example 5
             */
            trimStart?: string;
            /**
             * @description Instead of the file: the id of a finished upload (see `/uploads`). An upload can be used for one post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1d
             */
            uploadId?: string;
            /**
             * Format: binary
             * @description The video file, unless `uploadId` or `videoUrl` is sent. MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.
             */
            video?: string;
            /**
             * @description Instead of the file: a public https URL from which the video is downloaded within 45 seconds. A slower download fails with `video_source_slow`; upload the file instead.
             * @example https://cdn.example.com/first-light.mp4
             */
            videoUrl?: string;
        };
        CheckReason: {
            /**
             * @description An error code, a code from `message` of FAILED targets, `converted` if the video is converted, or what a warning is about: `film_track`, `sound_track`, `sound_unusable`, `key_frames`, `codec_tag`, `shown_differently`.
             * @example caption_too_long
             */
            code: string;
            /**
             * @description `refused`: POST /post rejects the request. `fails`: the post fails on this account. `waits`: the post waits until then. `converted`: the video is converted first. `warning`: the post may not be as intended.
             * @enum {string}
             */
            effect: "refused" | "fails" | "waits" | "converted" | "warning";
            /** @description Number of characters above the limit of the caption. */
            excess?: number;
            message: string;
            /**
             * Format: date-time
             * @description When the limit resets, or when the access ends.
             * @example 2026-08-01T09:30:00.000Z
             */
            until?: string;
        };
        CheckVerdict: {
            /** @description Its length as the platform counts it. In bytes if that limit is nearer. */
            caption: {
                length: number;
                limit: number;
                /** @enum {string} */
                unit: "characters" | "bytes";
            };
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
        ChosenAccounts: {
            /** @description Only accounts whose `trouble` has this code. */
            code?: string;
            /** @description Account ids. Default: all. */
            platforms?: string[];
        };
        ConnectablePlatform: {
            /** @description Whether accounts can be connected. */
            configured: boolean;
            /** @description What is asked before the platform’s own page; null if it has none. */
            consent: {
                /** @description What to enter, or where to find it. */
                hint: components["schemas"]["FormText"] | null;
                /** @description In English. */
                label: string;
                /** @enum {string} */
                name: "service" | "identifier" | "login" | "secret";
                required: boolean;
                /** @description An app password or a bot token. */
                secret: boolean;
                title: components["schemas"]["FormText"];
                /** @description The values that can be chosen now, the default first; null for any text. */
                values: {
                    /** @description In English. */
                    label: string;
                    title: components["schemas"]["FormText"];
                    value: string;
                }[] | null;
            }[] | null;
            /**
             * @description Which posts rules can repost. `own`: only posts made with Reelay. `announce`: others are found, but not their files. `poll`, `push`: all.
             * @enum {string}
             */
            finds: "own" | "announce" | "poll" | "push";
            /** @description What the platform accepts. An account may allow more, or less. */
            limits: {
                /** @description Maximum length of the caption, as the platform counts. */
                caption: number;
                maxBytes: number;
                maxSeconds: number | null;
                minSeconds: number | null;
            };
            /** @description What is asked to connect immediately; null if this is not possible. */
            login: {
                /** @description What to enter, or where to find it. */
                hint: components["schemas"]["FormText"] | null;
                /** @description In English. */
                label: string;
                /** @enum {string} */
                name: "service" | "identifier" | "login" | "secret";
                required: boolean;
                /** @description An app password or a bot token. */
                secret: boolean;
                title: components["schemas"]["FormText"];
                /** @description The values that can be chosen now, the default first; null for any text. */
                values: {
                    /** @description In English. */
                    label: string;
                    title: components["schemas"]["FormText"];
                    value: string;
                }[] | null;
            }[] | null;
            /** @example TikTok */
            name: string;
            /** @description Whether posts have options for this platform. */
            options: boolean;
            /** @example tiktok */
            platform: string;
        };
        ConnectAccount: {
            /** @description Id of the account to reconnect. Any other account is rejected. */
            account?: string;
            /**
             * @description Settings that the owner chooses, by name.
             * @example {
             *       "privacy": "public"
             *     }
             */
            choices?: {
                [key: string]: string;
            };
            /** @description The account’s handle. */
            identifier?: string;
            /** @description The login type, for platforms with several. */
            login?: string;
            /** @example tiktok */
            platform: string;
            /** @description Connect at the simulated platform. */
            sandbox?: boolean;
            /** @description App password or bot token. */
            secret?: string;
            /**
             * @description The account’s server, for platforms with several servers.
             * @example mastodon.social
             */
            service?: string;
        };
        ConnectAttempt: {
            /**
             * Format: uuid
             * @description The reference for support requests.
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
                /** @description HTTP status of the platform’s response, or of our own. */
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
             * @description Used in `platforms`, `from` and `to`. Stays the same when the account is reconnected.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Settings that are missing, or that the account does not allow. */
            notes: string[];
            platform: string;
            username: string;
        };
        CountCaptions: {
            description: string;
            /** @description As in POST /post. */
            options?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            platforms: string[];
        };
        CreatePost: {
            /**
             * @description With `fit=crop`: which part of the picture stays, from 0 (the left or the top) to 1 (the right or the bottom). Default: 0.5, the middle.
             * @example 0.25
             */
            cropPosition?: string;
            /** @description At most 5,000 characters. The limits of each account apply as well. */
            description?: string;
            /**
             * @description Converts a video of another shape to 9:16: `pad` adds black bars, `blur` fills them with the blurred video, `crop` cuts off the edges.
             * @enum {string}
             */
            fit?: "pad" | "blur" | "crop";
            /**
             * @description A JSON object with options by platform name or account id. Every platform supports `caption`, which replaces the description; see the documentation of each platform for others. Options of an account override options of its platform.
             * @example {"youtube":{"title":"First light"},"telegram":{"caption":"Now on air"}}
             */
            options?: string;
            /**
             * @description A JSON array of 1 to 50 account ids, including duplicates, which are ignored. Alternatively, repeat the field with one id each.
             * @example ["019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b"]
             */
            platforms: string;
            /**
             * @description Position of the thumbnail in what is posted, in seconds. Default: 0.
             * @example 1.5
             */
            previewTime?: string;
            /**
             * @description Unix time in milliseconds, at most 366 days ahead. If absent, the video is posted immediately.
             * @example 1785576600000
             */
            scheduled?: string;
            /**
             * @description The end of the part, in seconds from the start of the video. Default: the end of the video.
             * @example 35.5
             */
            trimEnd?: string;
            /**
             * @description Posts only a part of the video: its start, in seconds. The part may last 3 to 90 seconds, the video up to 10 minutes. Default: 0.
             * @example 5
             */
            trimStart?: string;
            /**
             * @description Instead of the file: the id of a finished upload (see `/uploads`). An upload can be used for one post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1d
             */
            uploadId?: string;
            /**
             * Format: binary
             * @description The video file, unless `uploadId` or `videoUrl` is sent. MP4, MOV, 3GP, Matroska, WebM, MPEG-TS, AVI or FLV; at most 524,288,000 bytes; 3 to 90 seconds; vertical 9:16.
             */
            video?: string;
            /**
             * @description Instead of the file: a public https URL from which the video is downloaded within 45 seconds. A slower download fails with `video_source_slow`; upload the file instead.
             * @example https://cdn.example.com/first-light.mp4
             */
            videoUrl?: string;
        };
        CurrentUser: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
            email: string;
            /** @description Whether you have ever created an API key, so that `GET /user/api-key` describes it. */
            hasApiKey: boolean;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Language of mails, and of the dashboard; null if you have not chosen one: mails are in English. */
            language: ("en" | "de") | null;
            /**
             * @description What happens to posts that were due while the service was not running.
             * @enum {string}
             */
            late: "post" | "skip";
            /** @description The limits of the plan. */
            limits: {
                /** @enum {string} */
                name: "posts_per_month" | "connected_accounts" | "rules" | "scheduled_ahead";
                /** @description When `used` becomes 0; null if it does not. */
                resetsAt: string | null;
                /** @description May exceed `value` after a change to a smaller plan. */
                used: number;
                /** @description What the plan allows. */
                value: number;
            }[];
            name: string;
            /** @description Whether you operate this service. */
            operator: boolean;
            /** @description Where you reach the operator: an email address or an https URL; null if it is not given. */
            operatorContact: string | null;
            /** @example PRO */
            plan: string;
            /** @description Whether sign-in requires a code of an authenticator app. */
            secondFactor: boolean;
            /** @description Videos of yours that the service stores now, without their pictures. */
            stored: {
                bytes: number;
                videos: number;
            };
            /**
             * @description IANA time zone in which times are shown.
             * @example Europe/Berlin
             */
            zone: string;
        };
        DashboardPost: {
            /**
             * Format: date-time
             * @description When the post was received, or made by a rule.
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
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
             * @description The source post, if a rule created this post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            repostOf?: string;
            /** @description One entry per account, in the order sent. */
            result: components["schemas"]["PostResult"][];
            /** @description Stays true after publication. */
            scheduled: boolean;
        };
        DeleteRepost: {
            /**
             * @description The rule id.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
        };
        DoctorFinding: {
            /**
             * @description The check, in the language of the response.
             * @example database
             */
            name: string;
            /** @description What was found, and what to do. */
            text: string;
            /**
             * @description `note`: worth knowing, but nothing is broken.
             * @enum {string}
             */
            verdict: "ok" | "note" | "fail";
        };
        Draft: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            changedAt: string;
            cropPosition: number;
            description: string;
            fit: ("pad" | "blur" | "crop") | null;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description What was typed for accounts, by account id: a caption of its own, and input of the form of `GET /post-forms/{id}`. At most 65,536 characters as JSON. */
            options: {
                [key: string]: {
                    caption: string | null;
                    values: {
                        [key: string]: string | boolean | string[];
                    };
                };
            };
            /** @description Ids of accounts. */
            platforms: string[];
            /** @description Position of the thumbnail, in seconds. */
            previewTime: number;
            /** @description Unix time in milliseconds; null: now; `incomplete`: later, but no time is chosen yet. */
            scheduled: (number | "incomplete") | null;
            trimEnd: number | null;
            trimStart: number | null;
            /** @description Grows by one with each change. */
            version: number;
            video: {
                bytes: number;
                /** @description Of the file, in Unix milliseconds, if it has one. */
                lastModified: number | null;
                name: string;
                /** @description null: the video is no longer stored, or a post has used it. */
                uploadId: string | null;
            } | null;
        };
        DraftSummary: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            changedAt: string;
            /** @description The first 200 characters. */
            description: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Ids of the first 50 accounts. */
            platforms: string[];
            /** @description Unix time in milliseconds; null: now; `incomplete`: later, but no time is chosen yet. */
            scheduled: (number | "incomplete") | null;
            /** @description Grows by one with each change. */
            version: number;
            video: {
                bytes: number;
                /** @description Of the file, in Unix milliseconds, if it has one. */
                lastModified: number | null;
                name: string;
                /** @description null: the video is no longer stored, or a post has used it. */
                uploadId: string | null;
            } | null;
        };
        EditAccount: {
            /**
             * @description By name: a value from `GET /accounts/{id}`, or its label.
             * @example {
             *       "board": "Recipes"
             *     }
             */
            choices: {
                [key: string]: string;
            };
        };
        EditNotificationSettings: {
            kind?: components["schemas"]["NotificationKind"];
            mail?: boolean;
            page?: boolean;
            /** @description To your devices and chats. */
            push?: boolean;
            /** @description Times in your time zone between which devices and chats get nothing; what arrives then is sent at the end. null: none. */
            quietHours?: {
                /** @example 22:00 */
                from: string;
                /** @example 22:00 */
                to: string;
            } | null;
        };
        EditPost: {
            /** @description With `uploadId`: as in creating a post. */
            cropPosition?: number;
            /** @description As in creating a post. */
            description?: string;
            /**
             * @description With `uploadId`: as in creating a post.
             * @enum {string}
             */
            fit?: "pad" | "blur" | "crop";
            /** @description As in creating a post. Replaces the captions and the options of all accounts. */
            options?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** @description The accounts after the change, in this order. Those that are missing are removed; one that failed starts over. */
            platforms?: string[];
            /** @description Position of the thumbnail in the video, in seconds. Default with `uploadId`: 0. */
            previewTime?: number;
            /** @description Unix time in milliseconds; null: now. */
            scheduled?: number | null;
            /** @description With `uploadId`: as in creating a post. */
            trimEnd?: number;
            /** @description With `uploadId`: as in creating a post. */
            trimStart?: number;
            /**
             * @description A finished upload (see `/uploads`) that replaces the video.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            uploadId?: string;
        };
        EditRepost: {
            options: components["schemas"]["RuleOptions"];
        };
        EditUser: {
            /** @enum {string} */
            language?: "en" | "de";
            /** @enum {string} */
            late?: "post" | "skip";
            name?: string;
            /** @example Europe/Berlin */
            zone?: string;
        };
        Error: {
            code: components["schemas"]["ErrorCode"];
            /** @description With `invalid_request`: the field that is invalid, if it is one. */
            field?: {
                /** @example options.quietHours.from */
                path: string;
                /** @description A part of `message`. It can change. */
                problem: string;
            };
            /** @description With `plan_limit_reached`: the limit that was reached. */
            limit?: {
                /** @enum {string} */
                name: "posts_per_month" | "connected_accounts" | "rules" | "scheduled_ahead";
                /** @description null if it does not reset automatically. */
                resetsAt: string | null;
                used: number;
                value: number;
            };
            /** @description A message for people. It can change. */
            message: string;
            /** @description Seconds to wait; with `rate_limited`. */
            retryAfter?: number;
            /** @constant */
            success: false;
        };
        /**
         * @description Stable. New codes may be added.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "unknown_field" | "video_missing" | "several_videos" | "video_unreadable" | "video_too_short" | "video_too_long" | "video_not_vertical" | "video_source_refused" | "video_source_failed" | "video_source_slow" | "preview_time_out_of_range" | "caption_too_long" | "scheduled_in_past" | "scheduled_too_far" | "circular_dependency" | "unauthorized" | "api_access_not_in_plan" | "plan_limit_reached" | "too_many_uploads" | "too_many_groups" | "too_many_drafts" | "too_many_snippets" | "too_many_channels" | "account_suspended" | "session_required" | "csrf_required" | "https_required" | "operator_required" | "not_found" | "unknown_platform" | "unknown_post" | "unknown_rule" | "unknown_item" | "unknown_group" | "unknown_draft" | "unknown_snippet" | "unknown_channel" | "unknown_media" | "unknown_upload" | "unknown_preview" | "unknown_session" | "unknown_passkey" | "unknown_user" | "no_api_key" | "method_not_allowed" | "platform_not_connected" | "setup_needed" | "idempotency_in_progress" | "not_cancellable" | "not_retryable" | "nothing_to_stop" | "nothing_to_try" | "already_there" | "draft_changed" | "not_editable" | "not_suspendable" | "not_deletable" | "duplicate_rule" | "not_repostable" | "wrong_offset" | "upload_incomplete" | "upload_used" | "video_gone" | "unsupported_tus_version" | "video_too_large" | "body_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "connect_failed" | "upload_locked" | "rate_limited" | "reads_used" | "checksum_mismatch" | "internal_error" | "storage_full" | "storage_unavailable" | "source_unreadable" | "busy" | "database_unavailable" | "starting" | "draining";
        /** @description Values of other fields that must all match. An empty field is false, or "" if it is not a switch. */
        FormCondition: {
            [key: string]: string | boolean;
        };
        /** @description By language. May contain links: `[label](https://…)`. */
        FormText: {
            de: string;
            en: string;
        };
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
             * @description The source post, if a rule created this post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            repostOf?: string;
            /** @description One entry per account, in the order sent. */
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
            /** @description Accurate to one minute; null if never used. */
            lastUsedAt: string | null;
        };
        ManagedUser: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
            email: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description Last use of a session, accurate to one hour; null without a session. */
            lastSeenAt: string | null;
            limits: {
                /** @enum {string} */
                name: "posts_per_month" | "connected_accounts" | "rules" | "scheduled_ahead";
                used: number;
                /** @description What the plan allows. */
                value: number;
            }[];
            name: string;
            operator: boolean;
            /** @enum {string} */
            plan: "FREE" | "STARTER" | "INFLUENCER" | "PRO";
            secondFactor: boolean;
            /** @description Whether all requests of the user are rejected. */
            suspended: boolean;
        };
        MoveToDrafts: {
            /**
             * Format: uuid
             * @description The id of the draft. You choose it.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            draftId: string;
            /** @description The options of accounts as input of their forms, by account id. */
            values: {
                [key: string]: {
                    [key: string]: string | boolean | string[];
                };
            };
            /** @description Name of the file. */
            videoName: string;
        };
        Notification: {
            /** @description With all other kinds. */
            account: {
                displayName: string;
                /**
                 * Format: uuid
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                 */
                id: string;
                platform: string;
                /** @enum {string} */
                status: "CONNECTED" | "EXPIRED" | "REVOKED" | "DISCONNECTED";
                username: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            at: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            kind: components["schemas"]["NotificationKind"];
            /** @description `access_ends`: when it ends. `source_unread`: when it was last known to work. `post_trouble`: when it began. */
            moment: string | null;
            /** @description With `post_failed` and `post_trouble`. */
            post: {
                /** @description Number of accounts. */
                accounts: number;
                description: string;
                /** @description The accounts on which it is FAILED now. */
                failed: {
                    detail?: string;
                    displayName: string;
                    /**
                     * Format: uuid
                     * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                     */
                    id: string;
                    message: components["schemas"]["TargetCode"];
                    platform: string;
                    username: string;
                }[];
                /** @description The thumbnail: `GET /media/{filename}`. */
                filename: string;
                /**
                 * Format: uuid
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                 */
                id: string;
                /** @description The accounts on which it is retried now. */
                troubled: {
                    detail?: string;
                    displayName: string;
                    /**
                     * Format: uuid
                     * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                     */
                    id: string;
                    message: components["schemas"]["TargetCode"];
                    platform: string;
                    username: string;
                }[];
            } | null;
            read: boolean;
            /** @description Nothing is left to do: it was retried, reconnected or disconnected, its trouble is over, or no scheduled post needs the access after its end. */
            resolved: boolean;
            /** @description `post_trouble`: when the trouble was over. It counts as read from then on. */
            resolvedAt: string | null;
        };
        NotificationChannel: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
            /** @description `push`: the SHA-256 of the endpoint (base64url), by which a browser recognizes its own channel. */
            device: string | null;
            /** @description Why the last message was not delivered; null if it was. */
            failure: {
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                at: string;
                detail: string;
            } | null;
            /**
             * @description The server that delivers it.
             * @example ntfy.sh
             */
            host: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            kind: components["schemas"]["NotificationChannelKind"];
            /** @description When a message was last delivered. */
            lastSentAt: string | null;
            /** @example My phone */
            name: string;
            /** @description The address was refused. Nothing is sent until a test is delivered. */
            stopped: boolean;
        };
        /**
         * @description `push`: a browser or an installed app (Web Push). `ntfy`: a topic. `discord` and `slack`: an incoming webhook. `telegram`: a chat with a bot. New kinds may be added.
         * @enum {string}
         */
        NotificationChannelKind: "push" | "ntfy" | "discord" | "slack" | "telegram";
        /**
         * @description `post_failed`: a post failed on at least one account, or its outcome is unknown. `post_trouble`: a post is retried on at least one account after its second failure, or its next attempt is at least three minutes away; while this lasts, there is one for each account and cause. `account_reconnect`: the platform ended the access to an account. `access_ends`: the access will end before the last scheduled post. `source_unread`: new posts of a source have not been read for an hour. New kinds may be added.
         * @enum {string}
         */
        NotificationKind: "post_failed" | "post_trouble" | "account_reconnect" | "access_ends" | "source_unread";
        NotificationSettings: {
            kinds: {
                access_ends: {
                    mail: boolean;
                    page: boolean;
                    /** @description To the devices and chats of the user. */
                    push: boolean;
                };
                account_reconnect: {
                    mail: boolean;
                    page: boolean;
                    /** @description To the devices and chats of the user. */
                    push: boolean;
                };
                post_failed: {
                    mail: boolean;
                    page: boolean;
                    /** @description To the devices and chats of the user. */
                    push: boolean;
                };
                post_trouble: {
                    mail: boolean;
                    page: boolean;
                    /** @description To the devices and chats of the user. */
                    push: boolean;
                };
                source_unread: {
                    mail: boolean;
                    page: boolean;
                    /** @description To the devices and chats of the user. */
                    push: boolean;
                };
            };
            mail: {
                address: string;
                /** @description Whether the service can send mail. */
                available: boolean;
            };
            /** @description Times in the zone of the user between which devices and chats get nothing; null: none. */
            quietHours: {
                from: string;
                to: string;
            } | null;
        };
        Passkey: {
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description The last sign-in with it; null if it was not used. */
            lastUsedAt: string | null;
            /** @example Google Password Manager */
            name: string;
        };
        PauseRepost: {
            /**
             * @description With a pause: what happens to posts on the source until the rule is resumed. "skip": they are never reposted. "keep": they wait and are reposted then, under the daily limit; at most 200 wait. Default: unchanged if the rule is paused, otherwise "skip".
             * @enum {string}
             */
            between?: "skip" | "keep";
            /**
             * @description The rule id.
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
             * @description When the access ends, if it cannot be refreshed indefinitely. Its owner must reconnect before then.
             * @example 2026-08-01T09:30:00.000Z
             */
            accessEndsAt?: string;
            /** @description Why a connected account cannot post, if this is known without a request to the platform. */
            detail?: string;
            displayName: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The platform.
             * @example tiktok
             */
            platform: string;
            /** @description A simulated account. */
            sandbox: boolean;
            /**
             * @description EXPIRED: reconnect the account. REVOKED: the access was revoked at the platform.
             * @enum {string}
             */
            status: "CONNECTED" | "EXPIRED" | "REVOKED";
            username: string;
            /** @description URL of the stored copy of the profile picture, or "". */
            usernameImage: string;
            /** @description What is wrong while posts to the account still work: rules do not see its new posts, or its access cannot be renewed (`access_not_renewed`). */
            warnings: {
                /** @description Stable. New codes may be added. */
                code: string;
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                since?: string;
                text: string;
            }[];
        };
        PlatformGuide: {
            /** @description One is enough. Empty if none is needed. */
            applications: {
                /** @description Names of other platforms that use it. */
                alsoFor: string[];
                guide: {
                    /** @description What works without the review; null: everything. */
                    before: components["schemas"]["FormText"] | null;
                    /** @description What the platform calls the id. */
                    id: components["schemas"]["FormText"];
                    review: components["schemas"]["FormText"];
                    /** @description What the platform calls the secret. */
                    secret: components["schemas"]["FormText"];
                    /** @description What to do at the platform, in order. */
                    steps: components["schemas"]["FormText"][];
                } | null;
                /** @description The name under which it is configured. */
                name: string;
                /** @description The scopes that it must have. */
                scopes: string[];
                /** @description Where it is set; null if it is not. */
                source: ("environment" | "stored") | null;
                /** @description Which application this is; null if the platform has one only. */
                title: components["schemas"]["FormText"] | null;
                /** @description What stops working without it. */
                use: {
                    /** @description Connected accounts of all users. */
                    accounts: number;
                    /** @description `false`: some of them may use another application. */
                    isExact: boolean;
                    /** @description Scheduled posts to them. */
                    posts: number;
                };
                /** @description The environment variables for the id and the secret. */
                variables: string[];
            }[];
            name: string;
            platform: string;
            /** @description Where an application is registered. */
            portal: string | null;
            /** @description Must be registered at the platform exactly like this. */
            redirectUri: string | null;
            /** @description Why it would not work with the address of this service. `redirect_https`: the platform redirects only to https. `redirect_localhost`: it redirects to an IP address, but not to `localhost`. `media_private`: it fetches videos from here, but cannot reach this address. */
            warnings: ("redirect_https" | "redirect_localhost" | "media_private")[];
        };
        PlatformSetup: {
            /** @description Supported applications; one is enough. Empty if none is needed. */
            applications: {
                /** @description With `check`, for a configured application: whether the platform accepts it. */
                check: {
                    /** @description With the platform’s own words. */
                    message: string;
                    /**
                     * @description `verified` only if the platform’s response proves the id and the secret.
                     * @enum {string}
                     */
                    verdict: "verified" | "rejected" | "unverified";
                } | null;
                /** @description The name under which it is configured. */
                name: string;
                /** @description The scopes that this application must have. */
                scopes: string[];
                source: ("environment" | "stored") | null;
                /** @description Which application this is; null if the platform has one only. */
                title: components["schemas"]["FormText"] | null;
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
            /** @description Why the platform cannot work now: the service is not reachable from outside or, with `check`, the platform is not reachable or rejects an application. */
            problem: string | null;
            /** @description Register this exact value at the platform. */
            redirectUri: string | null;
            /** @description What the platform reviews before other users may connect. */
            review: string | null;
            /** @description The requested scopes. */
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
            /** @description Position of the thumbnail in the video, in seconds. */
            previewTime: number;
            /**
             * Format: uuid
             * @description The source post, if a rule created this post.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            repostOf?: string;
            /** @description One entry per account, in the order sent. */
            result: components["schemas"]["PostResult"][];
            /** @description Stays true after publication. */
            scheduled: boolean;
            targets: components["schemas"]["PostTarget"][];
        };
        PostForm: {
            /** @description What the user declares by posting. Show the last one that applies. */
            readonly declarations?: {
                text: components["schemas"]["FormText"];
                when?: components["schemas"]["FormCondition"];
            }[];
            fields: components["schemas"]["PostFormField"][];
            notice?: components["schemas"]["FormText"];
        };
        PostFormField: {
            /** @description The option is sent even if the field is off. */
            always: boolean;
            /** @description Must be answered for every post. Nothing may be preselected. */
            ask: boolean;
            /** @description Values that cannot be selected then. */
            readonly blocked?: {
                reason: components["schemas"]["FormText"];
                value: string | boolean;
                when: components["schemas"]["FormCondition"];
            }[];
            hint?: components["schemas"]["FormText"];
            /** @description All values are shown beside each other, so that one click answers. */
            inRow?: boolean;
            /** @description If the field is on, the option is false. */
            inverted: boolean;
            label: components["schemas"]["FormText"];
            maxItems?: number;
            maxLength?: number;
            /**
             * @description The name of the option.
             * @example privacy
             */
            name: string;
            /** @description Texts to show below the field then. */
            readonly notes?: {
                text: components["schemas"]["FormText"];
                when: components["schemas"]["FormCondition"];
            }[];
            /** @description If the field is on, at least one of these must be on. */
            oneOf?: {
                readonly fields: string[];
                reason: components["schemas"]["FormText"];
            };
            /** @description The field only controls others. It is not an option. */
            pageOnly: boolean;
            pattern?: string;
            /** @description The account’s setting, which applies if the field stays empty. */
            preset?: string;
            /** @enum {string} */
            type: "flag" | "text" | "texts" | "choice" | "choices";
            /** @description Why this account cannot use the field. */
            unavailable?: components["schemas"]["FormText"];
            values?: {
                label: components["schemas"]["FormText"];
                value: string;
            }[];
            /** @description The field is shown and sent only then. */
            when?: components["schemas"]["FormCondition"];
        };
        PostFromPhone: {
            /** @enum {string} */
            audience?: "public" | "limited";
            caption?: string;
            platform: string;
            username: string;
            /**
             * Format: binary
             * @description MP4 or QuickTime.
             */
            video: string;
        };
        PostResult: {
            /** @description A sentence about the outcome, with the platform's own code if there is one. */
            detail?: string;
            /** @description What people call the account; may be "". */
            displayName: string;
            /**
             * Format: uuid
             * @description The account id.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @description With FAILED: only the code. */
            message?: components["schemas"]["TargetCode"];
            /**
             * Format: date-time
             * @description With `trouble`: the time of the next attempt.
             * @example 2026-08-01T09:30:00.000Z
             */
            nextAttemptAt?: string;
            /**
             * @description The platform.
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
            /** @description With PENDING, if it failed and will be tried again. */
            trouble?: components["schemas"]["PostTrouble"];
            /** @description With SUCCESS: the URL of the public post, if it has one. */
            url?: string;
            username: string;
            /** @description URL of the stored copy of the profile picture, or "". */
            usernameImage: string;
        };
        /**
         * @description PENDING until the platform has confirmed the post. FAILED if the post will certainly not appear, or the service has given up.
         * @enum {string}
         */
        PostStatus: "PENDING" | "SUCCESS" | "FAILED";
        /** @description A post on one account, with its timeline. */
        PostTarget: {
            /** @description The caption, if it differs from the description. */
            caption?: string;
            /** @description A sentence about the outcome, with the platform's own code if there is one. */
            detail?: string;
            /** @description With FAILED: only the code. */
            message?: components["schemas"]["TargetCode"];
            /**
             * Format: date-time
             * @description With PENDING: the time of the next attempt.
             * @example 2026-08-01T09:30:00.000Z
             */
            nextAttemptAt?: string;
            /** @description The options for this account. */
            options?: {
                [key: string]: unknown;
            };
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
            /** @description Progress of the conversion for this platform, 0 to 1, while it runs. */
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
                /** @description Code and parameters of the text, for translations. Absent in entries from before codes were introduced. */
                message?: {
                    code: string;
                    params: {
                        [key: string]: unknown;
                    };
                };
                platformCode?: string;
                text: string;
            }[];
            /** @description With PENDING, if it failed and will be tried again. */
            trouble?: components["schemas"]["PostTrouble"];
            /** @description With SUCCESS: the URL of the public post, if it has one. */
            url?: string;
            /** @description Problems that are expected at the time of the post, as far as known. */
            warning?: string;
        };
        /** @description Why a target has to be tried again. */
        PostTrouble: {
            /** @description Failures since the last progress. */
            attempts: number;
            /** @description A `TargetCode`: what the target fails with if this does not end. */
            code: string;
            platformCode?: string;
            /**
             * Format: date-time
             * @description The first failure since the last progress.
             * @example 2026-08-01T09:30:00.000Z
             */
            since: string;
            /** @description The reason, with the platform's own words. */
            text: string;
        };
        PreviewRepost: {
            /**
             * @description Source account.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            from: string;
            options?: components["schemas"]["RuleOptions"];
            /** @description A caption on the source, of at most 5,000 characters. Default: that of the newest item. */
            text?: string;
            /** @description Destination accounts. Duplicates are ignored. */
            to: string[];
            /** @description The URL of the post on the source. */
            url?: string;
        };
        PreviewRule: {
            options?: components["schemas"]["RuleOptions"];
            /** @description A caption on the source, of at most 5,000 characters. Default: that of the newest item. */
            text?: string;
            /** @description The URL of the post on the source. */
            url?: string;
        };
        QueueStatus: {
            lastHour: {
                failed: number;
                /** @description Five minutes each, oldest first. */
                intervals: {
                    /**
                     * Format: date-time
                     * @example 2026-08-01T09:30:00.000Z
                     */
                    at: string;
                    failed: number;
                    posted: number;
                }[];
                posted: number;
            };
            /** @description Background parts of the process that responds. */
            parts: {
                detail: string;
                name: string;
                ok: boolean;
            }[];
            queues: {
                due: number;
                /** @description Due for more than 60 seconds. */
                late: number;
                /**
                 * @description `posts`: accounts of posts. `rules`: reposts. `watches`: checks for new posts. `files`: videos fetched from sources. `removals`: files to delete.
                 * @enum {string}
                 */
                name: "posts" | "rules" | "conversions" | "watches" | "files" | "removals";
                /** @description How long the oldest has been due; null if nothing is. */
                oldestSeconds: number | null;
            }[];
            /** @description Posts to accounts that failed and will be tried again, by platform, most first. At most 10000 are counted. */
            retrying: {
                platform: string;
                posts: number;
            }[];
            /** @description Workers of the last day, at most 100. */
            workers: {
                /** @description Accounts that it is posting to. */
                accounts: number;
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                heartbeatAt: string;
                /** @description Seconds since the last heartbeat. */
                heartbeatSeconds: number;
                /**
                 * Format: uuid
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                 */
                id: string;
                pid: number;
                /**
                 * Format: date-time
                 * @example 2026-08-01T09:30:00.000Z
                 */
                startedAt: string;
                /**
                 * @description `silent`: no heartbeat for more than 150 seconds.
                 * @enum {string}
                 */
                state: "alive" | "silent" | "stopped";
            }[];
        };
        ReadNotifications: {
            /** @default false */
            all: boolean;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
        };
        RenameAccountGroup: {
            /**
             * @description At most 40 characters. Unique among your groups.
             * @example Main channels
             */
            name: string;
        };
        RenamePasskey: {
            name: string;
        };
        /** @description The converted video: H.264 with this size, frame rate and maximum bit rate. */
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
             * @description Only of a paused rule: whether posts on the source are skipped, or wait until it is resumed.
             * @enum {string}
             */
            between?: "skip" | "keep";
            /** @description Maximum reposts per day of posts made through this service, and of others; null: no limit. What waits longer than 3 days for the limit is skipped. */
            dailyLimits: {
                foreign: number | null;
                own: number | null;
            };
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
            options: components["schemas"]["RepostOptions"];
            to: components["schemas"]["RepostAccount"][];
            watch: components["schemas"]["RepostWatch"];
        };
        RepostAccount: {
            displayName: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            platform: string;
            /** @description As in the list of accounts. */
            status: string;
            username: string;
            usernameImage: string;
        };
        RepostActivity: {
            /** @description The first 200 characters. */
            caption: string;
            durationMs: number | null;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description `own`: posted through this service. `foreign`: found on the account.
             * @enum {string}
             */
            origin: "own" | "foreign";
            /**
             * Format: uuid
             * @description The repost in the history, while it exists.
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            postId?: string;
            publishedAt: string | null;
            /** @description Stable code of what happened, or why the item waits or was skipped. New codes may be added. */
            reason: string;
            /** @description Whether it can be reposted by hand, or released early. */
            repostable: boolean;
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            seenAt: string;
            /**
             * Format: date-time
             * @description When it was noticed that the source no longer has the post. Its reposts remain.
             * @example 2026-08-01T09:30:00.000Z
             */
            sourceDeletedAt?: string;
            /**
             * Format: date-time
             * @description When it was noticed that the caption on the source changed after the repost, which remains.
             * @example 2026-08-01T09:30:00.000Z
             */
            sourceEditedAt?: string;
            /** @enum {string} */
            status: "reposted" | "waiting" | "skipped";
            /** @description The same as a sentence. */
            text: string;
            /** @description The post on the source. */
            url: string | null;
            /**
             * Format: date-time
             * @description With waiting, if it is known.
             * @example 2026-08-01T09:30:00.000Z
             */
            waitingUntil?: string;
        };
        RepostCatalogItem: {
            /** @description The first 200 characters. */
            caption: string;
            durationMs: number | null;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            publishedAt: string;
            /** @description Stable code of why it is unavailable. */
            reason?: string;
            /**
             * @description `available`: it can be selected. `selected`: it waits to be reposted.
             * @enum {string}
             */
            status: "available" | "selected" | "reposted" | "unavailable";
            /** @description The same as a sentence. */
            text?: string;
            /** @description The post on the source. */
            url: string | null;
        };
        RepostNote: {
            /** @description Stable. New codes may be added. */
            code: string;
            text: string;
        };
        /** @description All options of a repost rule, with defaults. */
        RepostOptions: {
            backCatalog: {
                items: string[];
                /** @enum {string} */
                order: "oldest" | "newest";
                perDay: number;
            } | null;
            caption: {
                /** @description Added on a line of its own. */
                append: string;
                removeHashtags: boolean;
                removeMentions: boolean;
                template: string;
            };
            delayMinutes: number;
            /** @description Empty lists and null are no condition. */
            filters: {
                contains: string[];
                excludes: string[];
                hashtags: string[];
                maxSeconds: number | null;
                minSeconds: number | null;
            };
            fit: ("pad" | "blur" | "crop") | null;
            /** @description Maximum random additional delay. */
            jitterMinutes: number;
            /** @description null: no limit for posts made through this service, 25 for others. What waits longer than 3 days is skipped. */
            maxPerDay: number | null;
            /** @description By destination account. */
            privacy: {
                [key: string]: string;
            };
            quietHours: {
                /**
                 * @description Local time.
                 * @example 22:00
                 */
                from: string;
                /**
                 * @description Local time; on the next day if it is before `from`.
                 * @example 07:00
                 */
                to: string;
                zone: string;
            } | null;
            /** @description Time zone of the days. */
            zone: string;
        };
        RepostPreview: {
            /** @description The caption on each destination, of the given text or of the newest item. */
            captions: {
                /** @description Length in the units of the platform; in characters if no post may have it. */
                count: number;
                limit: number;
                /**
                 * Format: uuid
                 * @description The destination.
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                 */
                platformId: string;
                /** @description Why a repost with this text fails; null if it does not. */
                problem: string | null;
                /** @description Only the beginning if no post may have it. */
                text: string;
            }[];
            /** @description The last 20 known items of the source, newest first, and what the rule would do if they were posted now. */
            items: components["schemas"]["RepostPreviewItem"][];
            /** @description Why the rule would be rejected, or would repost less than expected. */
            warnings: components["schemas"]["RepostNote"][];
            watch: components["schemas"]["RepostWatch"];
        };
        RepostPreviewItem: {
            /** @description The first 200 characters. */
            caption: string;
            durationMs: number | null;
            /**
             * @description `own`: posted through this service. `foreign`: found on the account.
             * @enum {string}
             */
            origin: "own" | "foreign";
            publishedAt: string | null;
            /** @description Stable code of what happened, or why the item waits or was skipped. New codes may be added. */
            reason: string;
            /** @description The caption of the repost, unless it is skipped. */
            repostCaption?: string;
            /** @enum {string} */
            status: "repost" | "wait" | "skip";
            /** @description The same as a sentence. */
            text: string;
            /** @description The post on the source. */
            url: string | null;
        };
        /** @description What the source shows of posts made with other clients. */
        RepostWatch: {
            /** @description Start of the last complete check. */
            checkedAt: string | null;
            /** @description Cost of these reads in US dollars. */
            costToday?: number;
            /**
             * @description Which posts on the source are reposted. `own`: those made through this service. `announce`: the same; others are listed, but the platform does not give their files. `files`: all.
             * @enum {string}
             */
            mode: "own" | "announce" | "files";
            nextCheckAt: string | null;
            /** @description Why new posts are not read; null if they are. */
            problem: string | null;
            /** @description The daily limit of charged reads. */
            readLimit?: number;
            /** @description Charged reads of the service at this platform today (UTC), with announcements, if the platform charges for reads. */
            readsToday?: number;
            /** @description What the source cannot deliver; "" if nothing. */
            text: string;
        };
        RetryPost: {
            /** @description Required for `outcome_unknown`: post again even if it cannot be verified whether the post exists. */
            acceptDuplicate?: boolean;
            /** @description Account ids. Default: all accounts that failed. */
            platforms?: string[];
        };
        /** @description Options of a repost rule. In changes, null resets an option. */
        RuleOptions: {
            /** @description Older content of the source to repost. Default: none. */
            backCatalog?: {
                /** @description The ids of the items to repost. */
                items: string[];
                /** @description Which of the items come first. Default: oldest. */
                order?: ("oldest" | "newest") | null;
                /** @description Maximum of these reposts per day. Default: 1. */
                perDay?: number | null;
            } | null;
            /** @description How the caption is changed. Default: unchanged. */
            caption?: {
                /** @description Added on a line of its own. At most 10 placeholders are allowed. */
                append?: string | null;
                /** @description Removes hashtags from `{caption}`. */
                removeHashtags?: boolean | null;
                /** @description Removes mentions from `{caption}`. */
                removeMentions?: boolean | null;
                /**
                 * @description Default: `{caption}`. Placeholders: `{caption}`, `{hashtags}`, `{source}`, `{url}`, at most 10 of them. `{{` is a brace.
                 * @example {caption}
                 *
                 *     From {source}
                 */
                template?: string | null;
            } | null;
            /** @description Delay of each repost. Default: 0. */
            delayMinutes?: number | null;
            /** @description Which content is reposted. Default: all. */
            filters?: {
                /** @description The caption must contain one of these, in any case. */
                contains?: string[] | null;
                /** @description The caption must contain none of these. */
                excludes?: string[] | null;
                /** @description The caption must have one of these hashtags. */
                hashtags?: string[] | null;
                maxSeconds?: number | null;
                minSeconds?: number | null;
            } | null;
            /** @description How videos that are not 9:16 are converted. Default: they are skipped. */
            fit?: ("pad" | "blur" | "crop") | null;
            /** @description Maximum random additional delay. Default: 0. */
            jitterMinutes?: number | null;
            /** @description Maximum reposts per day; more wait for the next days, the oldest first. What waits longer than 3 days is skipped. Default: no limit for posts made through this service, 25 for others. */
            maxPerDay?: number | null;
            /** @description Privacy of the reposts, by destination account. Default: the setting of the account. */
            privacy?: {
                [key: string]: string;
            } | null;
            /** @description Reposts that are due in these hours wait until their end. If a clock change repeats a time, the first counts. If it skips one, the moment after the gap counts. Default: none. */
            quietHours?: {
                /** @example 22:00 */
                from: string;
                /** @example 22:00 */
                to: string;
                /** @description Default: `zone` of the rule. */
                zone?: string | null;
            } | null;
            /** @description Time zone of the days. Default: UTC. */
            zone?: string | null;
        };
        SandboxPost: {
            bytes: number;
            /** @description The platform's id of the post. */
            id: string;
            /** @description Unique in the list. A platform can show one id twice. */
            key: string;
            platform: string;
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            publishedAt: string;
            /** @description Hexadecimal. */
            sha256: string;
            text: string;
            url: string;
            username: string;
            /** @description Path of the video that the platform received. Supports ranges. */
            video: string;
        };
        SandboxStatus: {
            /** @description `…-before`: the platform does not act on the request. `…-after`: it does, and the response is lost. */
            faultKinds: string[];
            faults: {
                /**
                 * @description One of `faultKinds` of the sandbox.
                 * @example server-error
                 */
                kind: string;
                platform: string;
                /** @description Share of the requests that meet the fault. */
                share: number;
            }[];
            platforms: string[];
        };
        SaveAccountGroup: {
            /** @description Ids of your accounts. */
            accounts: string[];
            /**
             * @description At most 40 characters. Unique among your groups.
             * @example Main channels
             */
            name: string;
        };
        SaveDraft: {
            /** @description As in creating a post. */
            cropPosition?: number;
            description: string;
            fit: ("pad" | "blur" | "crop") | null;
            /** @description What was typed for accounts, by account id: a caption of its own, and input of the form of `GET /post-forms/{id}`. At most 65,536 characters as JSON. */
            options: {
                [key: string]: {
                    caption: string | null;
                    values: {
                        [key: string]: string | boolean | string[];
                    };
                };
            };
            /** @description Ids of accounts. */
            platforms: string[];
            /** @description Position of the thumbnail, in seconds. */
            previewTime: number;
            /** @description Unix time in milliseconds; null: now; `incomplete`: later, but no time is chosen yet. */
            scheduled: (number | "incomplete") | null;
            /** @description As in creating a post. */
            trimEnd?: number | null;
            /** @description As in creating a post. */
            trimStart?: number | null;
            /** @description The version that is replaced; 0: the draft is new. */
            version: number;
            video: {
                /** @description Of the file, in Unix milliseconds, if it has one. */
                lastModified: number | null;
                /** @description Name of the file. */
                name: string;
                /**
                 * @description A finished upload (see `/uploads`).
                 * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                 */
                uploadId: string;
            } | null;
        };
        SaveSnippet: {
            /**
             * @description At most 40 characters. Unique among your snippets.
             * @example Travel tags
             */
            name: string;
            /**
             * @description At most 2,000 characters.
             * @example #travel #roadtrip
             */
            text: string;
        };
        SecondFactor: {
            /** @description Unused backup codes; null if it is off. */
            backupCodesLeft: number | null;
            /** @description Whether sign-in requires a code of an authenticator app. */
            enabled: boolean;
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
        SetSandboxFaults: {
            faults: {
                /**
                 * @description One of `faultKinds` of the sandbox.
                 * @example server-error
                 */
                kind: string;
                platform: string;
                /** @description Share of the requests that meet the fault. */
                share: number;
            }[];
        };
        SetUserPlan: {
            /** @enum {string} */
            plan: "FREE" | "STARTER" | "INFLUENCER" | "PRO";
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
            /** @description As in other errors, or a code that only sign-in uses. */
            code: string;
            message: string;
            /** @constant */
            success: false;
        };
        SignInOptions: {
            /**
             * @description Host name at which passkeys work. `null`: nowhere, because the address of the service has no name or no https.
             * @example localhost
             */
            passkeyHost: string | null;
            /**
             * @description How a forgotten password is replaced. `mail`: by a link that the service mails. `operator`: only by the operator, with `npx reelay users set-password`.
             * @enum {string}
             */
            passwordReset: "mail" | "operator";
            /** @description Whether simulated platforms are available. */
            sandbox: boolean;
            /**
             * @description Whether you can sign up. `token`: only with the token that the service printed at startup, in the header `X-Reelay-Sign-Up-Token`.
             * @enum {string}
             */
            signUp: "open" | "token" | "closed";
            /** @description `false`: the first user must still be created and becomes the operator. */
            userExists: boolean;
        };
        Snippet: {
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /** @example Travel tags */
            name: string;
            /** @example #travel #roadtrip */
            text: string;
        };
        StorageStatus: {
            /** @description Free space of the storage; null without a practical limit. */
            freeBytes: number | null;
            /** @description With less free space, no video is accepted. */
            minFreeBytes: number;
            /** @description Days after which videos of finished posts are deleted. */
            retentionDays: number;
            stored: {
                bytes: number;
                files: number | null;
                /** @enum {string} */
                kind: "videos" | "renditions" | "uploads" | "sandbox" | "database";
                /** @description Above it, nothing further is accepted; null without a limit. */
                maxBytes: number | null;
            }[];
        };
        /**
         * @description Why a target is FAILED. New codes may be added.
         * @enum {string}
         */
        TargetCode: "reconnect_required" | "permission_missing" | "setup_needed" | "video_rejected" | "caption_rejected" | "policy_rejected" | "duplicate_rejected" | "platform_limit_reached" | "platform_unavailable" | "platform_error" | "outcome_unknown" | "plan_limit_reached" | "late_skipped" | "stopped" | "internal_error";
        UserSession: {
            /** @description IP address of the sign-in. */
            address: string | null;
            /**
             * Format: date-time
             * @example 2026-08-01T09:30:00.000Z
             */
            createdAt: string;
            /** @description Whether it is the session of this request. */
            current: boolean;
            /** @description As the client named itself; null if unknown. */
            device: {
                /** @example Chrome */
                browser: string | null;
                /** @example Windows */
                system: string | null;
                /** @enum {string} */
                type: "desktop" | "mobile" | "tablet" | "other";
            };
            /**
             * Format: date-time
             * @description When it ends if it is not used.
             * @example 2026-08-01T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * Format: date-time
             * @description Accurate to one hour.
             * @example 2026-08-01T09:30:00.000Z
             */
            lastUsedAt: string;
        };
    };
    responses: {
        /** @description `invalid_request`: The request is invalid. */
        "400-invalid_request": {
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
        /**
         * @description `invalid_request`: The request is invalid.
         *
         *     `unknown_field`: The request contains an unknown field.
         */
        "400-invalid_request-unknown_field": {
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
        /** @description `invalid_request`: The request is invalid. */
        "400-unlimited-invalid_request": {
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
        /** @description The request is invalid. */
        "400-unlimited-SignInError": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
        /** @description `unauthorized`: Invalid or missing API key. Send the header Authorization: Bearer <key>. */
        "401-unlimited-unauthorized": {
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
        "403-account_suspended-api_access_not_in_plan-csrf_required-https_required": {
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
         * @description `account_suspended`: This user is suspended.
         *
         *     `api_access_not_in_plan`: Your plan does not include API keys.
         *
         *     `https_required`: Use HTTPS.
         */
        "403-account_suspended-api_access_not_in_plan-https_required": {
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
        /**
         * @description `account_suspended`: This user is suspended.
         *
         *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
         *
         *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
         *
         *     `https_required`: Use HTTPS.
         */
        "403-account_suspended-session_required-csrf_required-https_required": {
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
        /**
         * @description `account_suspended`: This user is suspended.
         *
         *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
         *
         *     `csrf_required`: The header X-Reelay-CSRF: 1 is required for changes in a session.
         *
         *     `operator_required`: Only the operator of this service may do this.
         *
         *     `https_required`: Use HTTPS.
         */
        "403-account_suspended-session_required-csrf_required-operator_required-https_required": {
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
                    code?: "account_suspended" | "session_required" | "csrf_required" | "operator_required" | "https_required";
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
        "403-account_suspended-session_required-https_required": {
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
        /**
         * @description `account_suspended`: This user is suspended.
         *
         *     `session_required`: An API key cannot be used here. Sign in first: POST /api/auth/sign-in/email.
         *
         *     `operator_required`: Only the operator of this service may do this.
         *
         *     `https_required`: Use HTTPS.
         */
        "403-account_suspended-session_required-operator_required-https_required": {
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
                    code?: "account_suspended" | "session_required" | "operator_required" | "https_required";
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
        "403-plan_limit_reached-account_suspended-api_access_not_in_plan-csrf_required-https_required": {
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
        "403-plan_limit_reached-account_suspended-session_required-csrf_required-https_required": {
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
        /** @description `https_required`: Use HTTPS. */
        "403-unlimited-https_required": {
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
        /** @description `account_suspended`, `second_factor_required`, `https_required`, or the request comes from a page of another origin. */
        "403-unlimited-SignInError": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
        /** @description `no_api_key`: No API key has been generated yet. */
        "404-no_api_key": {
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
        /** @description `not_found`: Not found. */
        "404-not_found": {
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
        /** @description `unknown_channel`: Device or address for notifications not found. */
        "404-unknown_channel": {
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
                    code?: "unknown_channel";
                };
            };
        };
        /** @description `unknown_draft`: Draft not found. */
        "404-unknown_draft": {
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
                    code?: "unknown_draft";
                };
            };
        };
        /** @description `unknown_group`: Account group not found. */
        "404-unknown_group": {
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
                    code?: "unknown_group";
                };
            };
        };
        /** @description `unknown_platform`: Connected account not found. */
        "404-unknown_platform": {
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
        /** @description `unknown_post`: Post not found. */
        "404-unknown_post": {
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
        /**
         * @description `unknown_post`: Post not found.
         *
         *     `unknown_platform`: Connected account not found.
         */
        "404-unknown_post-unknown_platform": {
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
        /** @description `unknown_rule`: Rule not found. */
        "404-unknown_rule": {
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
        /** @description `unknown_snippet`: Snippet not found. */
        "404-unknown_snippet": {
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
                    code?: "unknown_snippet";
                };
            };
        };
        /** @description `unknown_upload`: Upload not found. */
        "404-unknown_upload": {
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
        /**
         * @description `unknown_upload`: Upload not found.
         *
         *     `unknown_platform`: Connected account not found.
         */
        "404-unknown_upload-unknown_platform": {
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
        /** @description `unknown_user`: User not found. */
        "404-unknown_user": {
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
                    code?: "unknown_user";
                };
            };
        };
        /** @description `platform_not_connected`: The account is not connected. */
        "409-platform_not_connected": {
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
        /**
         * @description `upload_incomplete`: The upload is incomplete.
         *
         *     `upload_used`: The upload is already used by a post.
         */
        "409-upload_incomplete-upload_used": {
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
        /** @description `upload_used`: The upload is already used by a post. */
        "410-upload_used": {
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
                    code?: "upload_used";
                };
            };
        };
        /** @description `video_gone`: The video is no longer stored. */
        "410-video_gone": {
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
        /** @description `unsupported_tus_version`: Unsupported tus version. Send the header Tus-Resumable: 1.0.0. */
        "412-unsupported_tus_version": {
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
        /** @description `body_too_large`: The JSON body is larger than 1 MiB. */
        "413-body_too_large": {
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
        /** @description `body_too_large`: the body is too large. */
        "413-unlimited-SignInError": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
        /** @description `video_too_large`: The video is larger than 524,288,000 bytes. */
        "413-video_too_large": {
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
        /**
         * @description `video_too_large`: The video is larger than 524,288,000 bytes.
         *
         *     `body_too_large`: The JSON body is larger than 1 MiB.
         */
        "413-video_too_large-body_too_large": {
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
        /** @description `unsupported_media_type`: send JSON. */
        "415-unlimited-SignInError": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
        /** @description `unsupported_media_type`: The media type of the body is not supported. */
        "415-unsupported_media_type": {
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
        /** @description `range_not_satisfiable`: The requested range is outside of the video. */
        "416-range_not_satisfiable": {
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
                    code?: "range_not_satisfiable";
                };
            };
        };
        /** @description `connect_failed`: The account could not be connected. */
        "422-connect_failed": {
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
        "429-rate_limited": {
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
        "500-internal_error": {
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
        /** @description `internal_error`: Internal error. Try again later. */
        "500-unlimited-internal_error": {
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
        /** @description `internal_error`: internal error. */
        "500-unlimited-SignInError": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
        /**
         * @description `database_unavailable`: The database is not available.
         *
         *     `starting`: The service is starting.
         *
         *     `draining`: The service is shutting down.
         */
        "503-database_unavailable-starting-draining": {
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
        /**
         * @description `storage_full`: There is not enough free disk space to store a video.
         *
         *     `storage_unavailable`: The storage is not available.
         *
         *     `busy`: The service is busy. Try again in a few seconds.
         *
         *     `database_unavailable`: The database is not available.
         *
         *     `starting`: The service is starting.
         *
         *     `draining`: The service is shutting down.
         */
        "503-storage_full-storage_unavailable-busy-database_unavailable-starting-draining": {
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
                    code?: "storage_full" | "storage_unavailable" | "busy" | "database_unavailable" | "starting" | "draining";
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
        "503-storage_full-storage_unavailable-database_unavailable-starting-draining": {
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
        /**
         * @description `storage_unavailable`: The storage is not available.
         *
         *     `database_unavailable`: The database is not available.
         *
         *     `starting`: The service is starting.
         *
         *     `draining`: The service is shutting down.
         */
        "503-storage_unavailable-database_unavailable-starting-draining": {
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
        /** @description `database_unavailable`, `starting` or `draining`. */
        "503-unlimited-SignInError": {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
        /**
         * @description `starting`: The service is starting.
         *
         *     `draining`: The service is shutting down.
         */
        "503-unlimited-starting-draining": {
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
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Maximum number of requests in the window; absent if limits are disabled. */
        "RateLimit-Limit": number;
        /** @description Remaining requests; absent if limits are disabled. */
        "RateLimit-Remaining": number;
        /** @description Seconds until the oldest counted request leaves the window; absent if limits are disabled. */
        "RateLimit-Reset": number;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description Identifies this request in the service’s log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccountGroups: {
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
                        data: components["schemas"]["AccountGroup"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    saveAccountGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveAccountGroup"];
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
                        data: components["schemas"]["AccountGroup"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_groups`: Account groups are limited to 50. Delete one first.
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
                        code?: "too_many_groups" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            404: components["responses"]["404-unknown_platform"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    deleteAccountGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_group"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    renameAccountGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameAccountGroup"];
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
                        data: components["schemas"]["AccountGroup"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_group"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_platform"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    disconnectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_platform"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    editAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_platform"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    connectAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        /** @description Accounts that were connected immediately. */
                        accounts: components["schemas"]["ConnectedAccount"][];
                        /**
                         * Format: uuid
                         * @description The id of the attempt: `GET /accounts/attempts/{id}` returns its steps.
                         * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                         */
                        attempt: string;
                        /** @constant */
                        success: true;
                        /** @description The URL to open in a browser; null if the account is already connected. */
                        url: string | null;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-plan_limit_reached-account_suspended-session_required-csrf_required-https_required"];
            409: components["responses"]["409-platform_not_connected"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-connect_failed"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    connectSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @example instagram */
                    platform?: string;
                };
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
                        /** @description The accounts that were connected now. */
                        data: components["schemas"]["ConnectedAccount"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-plan_limit_reached-account_suspended-session_required-csrf_required-https_required"];
            409: components["responses"]["409-platform_not_connected"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            422: components["responses"]["422-connect_failed"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            /** @description The session, or `null` without a valid session. */
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
            400: components["responses"]["400-unlimited-SignInError"];
            403: components["responses"]["403-unlimited-SignInError"];
            500: components["responses"]["500-unlimited-SignInError"];
            503: components["responses"]["503-unlimited-SignInError"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The origin of this service. Required if a cookie is sent; browsers add it automatically. */
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
                        user: components["schemas"]["SignedInUser"];
                    };
                };
            };
            400: components["responses"]["400-unlimited-SignInError"];
            /** @description `invalid_email_or_password`: the email address or the password is wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            403: components["responses"]["403-unlimited-SignInError"];
            413: components["responses"]["413-unlimited-SignInError"];
            415: components["responses"]["415-unlimited-SignInError"];
            /** @description `rate_limited`: too many failed attempts from this IP address. */
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
            500: components["responses"]["500-unlimited-SignInError"];
            503: components["responses"]["503-unlimited-SignInError"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The origin of this service. Required if a cookie is sent; browsers add it automatically. */
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
            400: components["responses"]["400-unlimited-SignInError"];
            403: components["responses"]["403-unlimited-SignInError"];
            413: components["responses"]["413-unlimited-SignInError"];
            415: components["responses"]["415-unlimited-SignInError"];
            500: components["responses"]["500-unlimited-SignInError"];
            503: components["responses"]["503-unlimited-SignInError"];
        };
    };
    refreshAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        data: components["schemas"]["Account"];
                        /** @description Whether the platform responded now, or less than a minute ago. */
                        fresh: boolean;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_platform"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listCalendar: {
        parameters: {
            query: {
                /** @description `next` of the previous page, with the same other parameters. */
                cursor?: string;
                /** @description Inclusive, at most 400 days later. */
                endTime: number | string;
                /** @description Maximum number of posts per page. A page of posts with long texts and many accounts has fewer. */
                limit?: number;
                /** @description Inclusive: Unix milliseconds or ISO 8601. */
                startTime: number | string;
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
                        data: components["schemas"]["DashboardPost"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    countCaptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountCaptions"];
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
                        data: components["schemas"]["CaptionCount"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_platform"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same other parameters. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
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
                        data: components["schemas"]["Notification"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadNotifications"];
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
                        data: {
                            unread: number;
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    countNotifications: {
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
                        data: {
                            unread: number;
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    searchPosts: {
        parameters: {
            query?: {
                /** @description Posts to this account, also if it was disconnected. */
                accountId?: string;
                /** @description `next` of the previous page, with the same other parameters. */
                cursor?: string;
                /** @description The latest `date`, inclusive. */
                endTime?: number | string;
                /** @description Maximum number of posts per page. A page of posts with long texts and many accounts has fewer. */
                limit?: number;
                /** @description The earliest `date`, inclusive: Unix milliseconds or ISO 8601. */
                startTime?: number | string;
                /** @description Posts of which at least one account has this status. */
                status?: components["schemas"]["PostStatus"];
                /** @description Part of the description, in upper or lower case. */
                text?: string;
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
                        data: components["schemas"]["DashboardPost"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            404: components["responses"]["404-unknown_platform"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    moveToDrafts: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveToDrafts"];
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
                        data: components["schemas"]["Draft"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_drafts`: Drafts are limited to 100. Delete one first.
             *
             *     `too_many_uploads`: Unused uploads and drafts with a video are limited to 5, and to 2 GiB in total. Post or delete one first.
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
                        code?: "too_many_drafts" | "too_many_uploads" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            404: components["responses"]["404-unknown_post"];
            /**
             * @description `not_cancellable`: The post is not scheduled, or has already started.
             *
             *     `draft_changed`: The draft was changed elsewhere. Read it again.
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
                        code?: "not_cancellable" | "draft_changed";
                    };
                };
            };
            410: components["responses"]["410-video_gone"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_full-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    getPostPreview: {
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
                    "video/*": string;
                };
            };
            /** @description A part. */
            206: {
                headers: {
                    /** @description The bytes of the response, and the size of the whole. */
                    "Content-Range"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            /**
             * @description `unknown_post`: Post not found.
             *
             *     `unknown_preview`: The video has no preview.
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
                        code?: "unknown_post" | "unknown_preview";
                    };
                };
            };
            416: components["responses"]["416-range_not_satisfiable"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    orderPostPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        data: {
                            /** @description How much of it is made, from 0 to 1. */
                            progress: number;
                            /** @enum {string} */
                            state: "making" | "stored" | "failed";
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_post"];
            410: components["responses"]["410-video_gone"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    copyVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        data: {
                            /** @description Size of the video. */
                            bytes: number;
                            /**
                             * Format: uuid
                             * @example 019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b
                             */
                            uploadId: string;
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_uploads`: Unused uploads and drafts with a video are limited to 5, and to 2 GiB in total. Post or delete one first.
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
                        code?: "too_many_uploads" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            404: components["responses"]["404-unknown_post"];
            410: components["responses"]["410-video_gone"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_full-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    getPostVideo: {
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
                    "video/*": string;
                };
            };
            /** @description A part. */
            206: {
                headers: {
                    /** @description The bytes of the response, and the size of the whole. */
                    "Content-Range"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            404: components["responses"]["404-unknown_post"];
            410: components["responses"]["410-video_gone"];
            416: components["responses"]["416-range_not_satisfiable"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    getUploadPreview: {
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
                    "video/*": string;
                };
            };
            /** @description A part. */
            206: {
                headers: {
                    /** @description The bytes of the response, and the size of the whole. */
                    "Content-Range"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            /**
             * @description `unknown_upload`: Upload not found.
             *
             *     `unknown_preview`: The video has no preview.
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
                        code?: "unknown_upload" | "unknown_preview";
                    };
                };
            };
            416: components["responses"]["416-range_not_satisfiable"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    orderUploadPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        data: {
                            /** @description How much of it is made, from 0 to 1. */
                            progress: number;
                            /** @enum {string} */
                            state: "making" | "stored" | "failed";
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_upload"];
            409: components["responses"]["409-upload_incomplete-upload_used"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getUploadVideo: {
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
                    "video/*": string;
                };
            };
            /** @description A part. */
            206: {
                headers: {
                    /** @description The bytes of the response, and the size of the whole. */
                    "Content-Range"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/*": string;
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            404: components["responses"]["404-unknown_upload"];
            409: components["responses"]["409-upload_incomplete-upload_used"];
            416: components["responses"]["416-range_not_satisfiable"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    listDrafts: {
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
                        data: components["schemas"]["DraftSummary"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getDraft: {
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
                        data: components["schemas"]["Draft"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            404: components["responses"]["404-unknown_draft"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    saveDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveDraft"];
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
                        data: components["schemas"]["Draft"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_drafts`: Drafts are limited to 100. Delete one first.
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
                        code?: "too_many_drafts" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            /**
             * @description `unknown_draft`: Draft not found.
             *
             *     `unknown_upload`: Upload not found.
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
                        code?: "unknown_draft" | "unknown_upload";
                    };
                };
            };
            /**
             * @description `draft_changed`: The draft was changed elsewhere. Read it again.
             *
             *     `upload_incomplete`: The upload is incomplete.
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
                        code?: "draft_changed" | "upload_incomplete" | "upload_used";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    deleteDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_draft"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    liveEvents: {
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
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            /**
             * @description `busy`: The service is busy. Try again in a few seconds.
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
                        code?: "busy" | "database_unavailable" | "starting" | "draining";
                    };
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
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
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same other parameters. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Only entries of this user. */
                userId?: string;
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
                        data: components["schemas"]["AuditEntry"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    runDoctor: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        data: components["schemas"]["DoctorFinding"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getQueues: {
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
                        data: components["schemas"]["QueueStatus"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getSandbox: {
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
                        data: components["schemas"]["SandboxStatus"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    setSandboxFaults: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSandboxFaults"];
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
                        data: {
                            /**
                             * @description One of `faultKinds` of the sandbox.
                             * @example server-error
                             */
                            kind: string;
                            platform: string;
                            /** @description Share of the requests that meet the fault. */
                            share: number;
                        }[];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    postFromPhone: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PostFromPhone"];
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
                        data: {
                            /** @description The platform's id of the post. */
                            id: string;
                            platform: string;
                            url?: string;
                            username: string;
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            /**
             * @description `storage_full`: There is not enough free disk space to store a video.
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
                        code?: "storage_full" | "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    listSandboxPosts: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same other parameters. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
                platform?: string;
                /** @description An account of `platform`; ignored without one. */
                username?: string;
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
                        data: components["schemas"]["SandboxPost"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getPlatformSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                platform: string;
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
                        data: components["schemas"]["PlatformGuide"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    checkApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                name: string;
                platform: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckApplication"];
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
                        data: components["schemas"]["ApplicationCheck"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getStorage: {
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
                        data: components["schemas"]["StorageStatus"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same other parameters. */
                cursor?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Part of the email address or of the name, in upper or lower case. */
                text?: string;
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
                        data: components["schemas"]["ManagedUser"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-operator_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    setUserPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserPlan"];
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-unknown_user"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    resumeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-unknown_user"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    suspendUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-unknown_user"];
            /** @description `not_suspendable`: An operator cannot be suspended. */
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
                        code?: "not_suspendable";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listCatalog: {
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
                        data: components["schemas"]["ConnectablePlatform"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listSetup: {
        parameters: {
            query?: {
                /** @description `true`: probe the hosts of each configured platform, and verify the id and the secret of each application where the platform allows it without a user. Takes several seconds. */
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
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
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    setApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                /** @description As in `applications` of the list. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    removeApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-operator_required-https_required"];
            404: components["responses"]["404-not_found"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description At most 255 characters of your choice. The same key with the same content within 24 hours gives the first response again and posts nothing. */
                "Idempotency-Key"?: string;
                /** @description `1`. Required with a session, ignored with a key. */
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
                    /** @description `true` when this is the first response once more; else absent. */
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
                         * @description The scheduled time, or the current time.
                         * @example 2026-08-01T09:30:00.000Z
                         */
                        date: string;
                        /**
                         * Format: uuid
                         * @description The id of the history entry. Also used to cancel a scheduled post.
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
             *     `video_not_vertical`: The video is not vertical (9:16). Send fit=pad, fit=blur or fit=crop to convert it.
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
             *     `caption_too_long`: The caption is too long for one of the selected platforms.
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
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-plan_limit_reached-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_upload-unknown_platform"];
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
            413: components["responses"]["413-video_too_large-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
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
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_full-storage_unavailable-busy-database_unavailable-starting-draining"];
        };
    };
    getPostForm: {
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
                        data: components["schemas"]["PostForm"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_platform"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_post"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    deletePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        /** @description States that the post stays on the platforms. */
                        message: string;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_post"];
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
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    editPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
             * @description `caption_too_long`: The caption is too long for one of the selected platforms.
             *
             *     `scheduled_in_past`: The scheduled time is in the past.
             *
             *     `scheduled_too_far`: The scheduled time is more than 366 days ahead.
             *
             *     `video_unreadable`: The file is not a readable video.
             *
             *     `video_too_short`: The video is shorter than 3 seconds.
             *
             *     `video_too_long`: The video is longer than 90 seconds.
             *
             *     `video_not_vertical`: The video is not vertical (9:16). Send fit=pad, fit=blur or fit=crop to convert it.
             *
             *     `preview_time_out_of_range`: previewTime must be between 0 and the length of the video.
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
                        code?: "caption_too_long" | "scheduled_in_past" | "scheduled_too_far" | "video_unreadable" | "video_too_short" | "video_too_long" | "video_not_vertical" | "preview_time_out_of_range" | "invalid_request" | "unknown_field";
                    };
                };
            };
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-plan_limit_reached-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            /**
             * @description `unknown_post`: Post not found.
             *
             *     `unknown_platform`: Connected account not found.
             *
             *     `unknown_upload`: Upload not found.
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
                        code?: "unknown_post" | "unknown_platform" | "unknown_upload";
                    };
                };
            };
            /**
             * @description `not_editable`: The post has already started.
             *
             *     `platform_not_connected`: The account is not connected.
             *
             *     `setup_needed`: A required setting of the account is missing. Its owner must choose it before posting.
             *
             *     `upload_incomplete`: The upload is incomplete.
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
                        code?: "not_editable" | "platform_not_connected" | "setup_needed" | "upload_incomplete" | "upload_used";
                    };
                };
            };
            410: components["responses"]["410-video_gone"];
            413: components["responses"]["413-video_too_large-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_full-storage_unavailable-database_unavailable-starting-draining"];
        };
    };
    retryPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-plan_limit_reached-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_post-unknown_platform"];
            /**
             * @description `not_retryable`: No part of this post can be retried.
             *
             *     `already_there`: The accounts on which the post failed have the video by another path.
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
                        code?: "not_retryable" | "already_there";
                    };
                };
            };
            410: components["responses"]["410-video_gone"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    stopTrying: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChosenAccounts"];
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_post-unknown_platform"];
            /** @description `nothing_to_stop`: No account of this post is being tried. */
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
                        code?: "nothing_to_stop";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    tryNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChosenAccounts"];
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_post-unknown_platform"];
            /** @description `nothing_to_try`: No account of this post waits to be tried again. */
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
                        code?: "nothing_to_try";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    cancelSchedule: {
        parameters: {
            query: {
                /** @description The `historyId` of the scheduled post. */
                id: string;
            };
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_post"];
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
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    checkPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                         * @description The scheduled time, or the current time.
                         * @example 2026-08-01T09:30:00.000Z
                         */
                        date: string;
                        /** @description Reasons that apply to the whole post, such as a limit of the plan or the tracks of the file that are used. */
                        reasons: components["schemas"]["CheckReason"][];
                        /** @description One entry per account, in the order sent. */
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
             *     `video_not_vertical`: The video is not vertical (9:16). Send fit=pad, fit=blur or fit=crop to convert it.
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
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_upload-unknown_platform"];
            409: components["responses"]["409-upload_incomplete-upload_used"];
            413: components["responses"]["413-video_too_large-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_full-storage_unavailable-busy-database_unavailable-starting-draining"];
        };
    };
    listHistory: {
        parameters: {
            query?: {
                /** @description Unix milliseconds, inclusive; with `startTime`. */
                endTime?: number;
                /** @description Page number, starting at 1. Default: 1. */
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
                        /** @description Total number of entries, within the range if one is given. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    editRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditRepost"];
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
                        data: components["schemas"]["Repost"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_rule"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    repostActivity: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Items per page. Default: 20. */
                limit?: number;
            };
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
                        data: components["schemas"]["RepostActivity"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                        watch: components["schemas"]["RepostWatch"];
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_rule"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    repostItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
                itemId: string;
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
                        data: components["schemas"]["RepostActivity"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            /**
             * @description `unknown_rule`: Rule not found.
             *
             *     `unknown_item`: Item not found.
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
                        code?: "unknown_rule" | "unknown_item";
                    };
                };
            };
            /** @description `not_repostable`: The item cannot be reposted. */
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
                        code?: "not_repostable";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    repostCatalog: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
            };
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
                        data: components["schemas"]["RepostCatalogItem"][];
                        /** @description The cursor of the next page; null if this is the last. */
                        next: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_rule"];
            409: components["responses"]["409-platform_not_connected"];
            /**
             * @description `reads_used`: What may be read of this platform is used up.
             *
             *     `rate_limited`: Too many requests.
             */
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
                        code?: "reads_used" | "rate_limited";
                    };
                };
            };
            500: components["responses"]["500-internal_error"];
            /**
             * @description `source_unreadable`: The posts of the source cannot be read now.
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
                        code?: "source_unreadable" | "database_unavailable" | "starting" | "draining";
                    };
                };
            };
        };
    };
    previewRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewRule"];
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
                        data: components["schemas"]["RepostPreview"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_rule"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    addRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        /** @description What the source cannot deliver. */
                        notes: components["schemas"]["RepostNote"][];
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
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-plan_limit_reached-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_platform"];
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
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    deleteRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_rule"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    pauseRepost: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_rule"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    previewRepost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRepost"];
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
                        data: components["schemas"]["RepostPreview"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-unknown_platform"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getSignInOptions: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userExists": true,
                     *         "signUp": "closed",
                     *         "passwordReset": "operator",
                     *         "passkeyHost": "reelay.example.org",
                     *         "sandbox": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SignInOptions"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-unlimited-invalid_request"];
            403: components["responses"]["403-unlimited-https_required"];
            500: components["responses"]["500-unlimited-internal_error"];
            503: components["responses"]["503-unlimited-starting-draining"];
        };
    };
    listSnippets: {
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
                        data: components["schemas"]["Snippet"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    saveSnippet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveSnippet"];
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
                        data: components["schemas"]["Snippet"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_snippets`: Snippets are limited to 50. Delete one first.
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
                        code?: "too_many_snippets" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    editSnippet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveSnippet"];
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
                        data: components["schemas"]["Snippet"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_snippet"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    deleteSnippet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_snippet"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Protocol version. */
                "Tus-Resumable": "1.0.0";
                /** @description Size of the video in bytes, at most 524,288,000. */
                "Upload-Length": number;
                /** @description Keys with base64 values, separated by commas. `filename` is the file name. `sha256` contains the 64 hexadecimal digits of the hash of the whole file, which is verified after the last byte. */
                "Upload-Metadata"?: string;
                /** @description `1`. Required with a session, ignored with a key. */
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
                    /** @description When the upload is deleted unless a post uses it. */
                    "Upload-Expires": string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_uploads`: Unused uploads and drafts with a video are limited to 5, and to 2 GiB in total. Post or delete one first.
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
            412: components["responses"]["412-unsupported_tus_version"];
            413: components["responses"]["413-video_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-storage_full-storage_unavailable-database_unavailable-starting-draining"];
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
                    /** @description Maximum size of an upload, in bytes. */
                    "Tus-Max-Size": number;
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-unlimited-invalid_request"];
            403: components["responses"]["403-unlimited-https_required"];
            500: components["responses"]["500-unlimited-internal_error"];
            503: components["responses"]["503-unlimited-starting-draining"];
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Protocol version. */
                "Tus-Resumable": "1.0.0";
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_upload"];
            410: components["responses"]["410-upload_used"];
            412: components["responses"]["412-unsupported_tus_version"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header: {
                /** @description Protocol version. */
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
                    /** @description When the upload is deleted unless a post uses it. */
                    "Upload-Expires": string;
                    /** @description Size of the whole upload in bytes. */
                    "Upload-Length": number;
                    /** @description As sent when the upload was created. */
                    "Upload-Metadata"?: string;
                    /** @description Number of bytes stored on disk. */
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
            /** @description `upload_used`: The upload is already used by a post. */
            410: {
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
                /** @description Protocol version. */
                "Tus-Resumable": "1.0.0";
                /** @description Algorithm and base64 hash of the piece: `sha256 …` or `sha1 …`. */
                "Upload-Checksum"?: string;
                /** @description The offset of the piece. It must match the current offset of the upload. */
                "Upload-Offset": number;
                /** @description `1`. Required with a session, ignored with a key. */
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
            /** @description All bytes of the piece are stored on disk. */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Tus-Resumable"?: string;
                    "Tus-Version"?: string;
                    /** @description When the upload is deleted unless a post uses it. */
                    "Upload-Expires": string;
                    /** @description Number of bytes stored on disk. */
                    "Upload-Offset": number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-unknown_upload"];
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
            410: components["responses"]["410-upload_used"];
            412: components["responses"]["412-unsupported_tus_version"];
            413: components["responses"]["413-video_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
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
            429: components["responses"]["429-rate_limited"];
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
            500: components["responses"]["500-internal_error"];
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
    getUser: {
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
                        data: components["schemas"]["CurrentUser"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    editUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditUser"];
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
                        data: components["schemas"]["CurrentUser"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
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
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-https_required"];
            404: components["responses"]["404-no_api_key"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    generateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-api_access_not_in_plan-csrf_required-https_required"];
            404: components["responses"]["404-no_api_key"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listNotificationChannels: {
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
                        data: components["schemas"]["NotificationChannel"][];
                        /** @description The `applicationServerKey` with which a browser subscribes (Push API, base64url); null if it cannot be decrypted. */
                        publicKey: string | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    addNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddNotificationChannel"];
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
                        data: components["schemas"]["NotificationChannel"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            /**
             * @description `too_many_channels`: Devices and addresses for notifications are limited to 10. Remove one first.
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
                        code?: "too_many_channels" | "account_suspended" | "session_required" | "csrf_required" | "https_required";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    deleteNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_channel"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    testNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        data: components["schemas"]["NotificationChannel"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            404: components["responses"]["404-unknown_channel"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getNotificationSettings: {
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
                        data: components["schemas"]["NotificationSettings"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    editNotificationSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditNotificationSettings"];
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
                        data: components["schemas"]["NotificationSettings"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listPasskeys: {
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
                        data: components["schemas"]["Passkey"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
                "X-Reelay-CSRF"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenamePasskey"];
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
                        data: components["schemas"]["Passkey"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            /** @description `unknown_passkey`: Passkey not found. */
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
                        code?: "unknown_passkey";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            415: components["responses"]["415-unsupported_media_type"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    getSecondFactor: {
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
                        data: components["schemas"]["SecondFactor"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    listSessions: {
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
                        data: components["schemas"]["UserSession"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-https_required"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            /** @description `unknown_session`: Session not found. */
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
                        code?: "unknown_session";
                    };
                };
            };
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description `1`. Required with a session, ignored with a key. */
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
                        /** @description How many sessions ended. */
                        revoked: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["400-invalid_request-unknown_field"];
            401: components["responses"]["401-unlimited-unauthorized"];
            403: components["responses"]["403-account_suspended-session_required-csrf_required-https_required"];
            413: components["responses"]["413-body_too_large"];
            429: components["responses"]["429-rate_limited"];
            500: components["responses"]["500-internal_error"];
            503: components["responses"]["503-database_unavailable-starting-draining"];
        };
    };
}
