/** Keys of texts that are loaded later. They are loaded by `app/more-texts.tsx`. */
export const textKeys = { of: (language: string) => ['texts', language] } as const;
