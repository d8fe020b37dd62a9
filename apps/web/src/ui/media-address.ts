/** The address of a stored picture, where this page was opened: the service's own address may be another one. */
export const mediaAddress = (filename: string): string => `/api/v1/media/${filename}`;
