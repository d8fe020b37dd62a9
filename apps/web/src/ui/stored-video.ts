/** URLs of stored videos, for players. They need the session. */

export const uploadedVideo = (uploadId: string) => `/api/v1/dashboard/uploads/${uploadId}/video`;

export const postedVideo = (postId: string) => `/api/v1/dashboard/posts/${postId}/video`;
